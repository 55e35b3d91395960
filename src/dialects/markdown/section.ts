import { callIdOf, endingOf, headingOf, thinkingTitle } from "../../core/page/page-heading.js";
import { isUnshown, omissionOf } from "../../core/page/shown-blocks.js";
import type { ShownOnPage } from "../../core/page/shown-message.js";
import { timeText } from "../../core/page/shown-text.js";
import type { AssistantContent, SessionMessage } from "../../core/types.js";
import { codeSpan, escaped, fenced, linked, quote } from "./blocks.js";

/** A message as a section: a heading, the time, the content. */
export function sectionOf(shown: ShownOnPage): string {
  const { message } = shown;
  const { title, details, timestamp } = headingOf(message);
  const heading =
    message.role === "session" ? `# ${escaped(message.title ?? title)}` : `## ${titleLine(title, details)}`;
  const time = timestamp === undefined ? [] : [`_${timeText(timestamp)} UTC_`];
  return [heading, ...time, ...bodyOf(shown)].join("\n\n");
}

function titleLine(title: string, details: readonly string[]): string {
  return details.length === 0 ? title : `${title}: ${details.map(escaped).join(", ")}`;
}

function bodyOf(shown: ShownOnPage): string[] {
  const { message } = shown;
  switch (message.role) {
    case "user":
    case "system":
      return textOrBlocks(shown, message.content);
    case "custom":
      return textOrBlocks(shown, message.content ?? []);
    case "assistant": {
      const ending = endingOf(message);
      return [...blocksOf(shown, message.content), ...(ending === undefined ? [] : [`_${escaped(ending)}_`])];
    }
    case "toolResult":
      return [
        `${callName(message.toolName, callIdOf(shown))}${message.isError ? ", failed" : ""}`,
        ...message.content.map((block, index) =>
          block.type === "text" ? fenced(block.text) : blockOf(shown, block, index),
        ),
      ];
    case "session":
      return sessionLines(message, headingOf(message).details);
    case "error":
      return [quote(message.content)];
    case "compaction":
      return [quote(message.summary)];
    case "agentComplete":
      return [fenced(JSON.stringify(message.result ?? null, null, 2), "json")];
    case "agentMessage":
      return [fenced(JSON.stringify(message.payload ?? null, null, 2), "json")];
    default:
      return [];
  }
}

function sessionLines({ agent, key }: SessionMessage, details: readonly string[]): string[] {
  const lines = [
    ...details.map((detail) => `- ${codeSpan(detail)}`),
    ...(agent === undefined ? [] : [`- Agent: ${codeSpan(agent)}`]),
    ...(key === undefined ? [] : [`- Session: ${codeSpan(key)}`]),
  ];
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function textOrBlocks(shown: ShownOnPage, content: string | readonly AssistantContent[]): string[] {
  return typeof content === "string" ? [quote(content)] : blocksOf(shown, content);
}

function blocksOf(shown: ShownOnPage, blocks: readonly AssistantContent[]): string[] {
  return blocks.map((block, index) => blockOf(shown, block, index));
}

function blockOf(shown: ShownOnPage, block: AssistantContent, index: number): string {
  switch (block.type) {
    case "text":
      return quote(block.text);
    case "thinking":
      return [`**${thinkingTitle(block)}**`, ...(block.thinking === "" ? [] : [quote(block.thinking)])].join(
        "\n\n",
      );
    case "toolCall": {
      const id = callIdOf(shown, { id: block.id, index });
      const trouble =
        block.argumentsError === undefined ? [] : [`_Arguments: ${escaped(block.argumentsError)}_`];
      const json = fenced(JSON.stringify(block.arguments, null, 2), "json");
      return [`**Tool call** ${callName(block.name, id)}`, json, ...trouble].join("\n\n");
    }
    case "image":
    case "audio":
    case "file":
      if (isUnshown(block)) return `_${escaped(omissionOf(block))}_`;
      return [
        `**${mediaTitles[block.type]}**`,
        linked(block.name ?? block.type, block.url ?? ""),
        ...(block.mimeType === undefined ? [] : [codeSpan(block.mimeType)]),
      ].join(" ");
    case "opaque":
      return "";
  }
}

const mediaTitles = { image: "Image", audio: "Audio", file: "File" };

/** The id, if any, shows which result belongs to which call. */
function callName(name: string, id: string): string {
  return id === "" ? codeSpan(name) : `${codeSpan(name)} (${codeSpan(id)})`;
}
