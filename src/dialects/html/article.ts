import { escapeHtml } from "../../core/page/escape-html.js";
import { callIdOf, endingOf, headingOf } from "../../core/page/page-heading.js";
import type { ShownOnPage } from "../../core/page/shown-message.js";
import { timeText } from "../../core/page/shown-text.js";
import type { AgentMessage, AssistantContent, SessionMessage } from "../../core/types.js";
import { blockHtml, callName, json } from "./blocks.js";
import { styledText } from "./styled-text.js";

/** A message as an element of the page. */
export function articleOf(shown: ShownOnPage): string {
  const { message } = shown;
  if (message.role === "session") return sessionHeader(message);
  const { title, timestamp } = headingOf(message);
  return [
    `<article class="${classOf(message)}">`,
    `<header><h2>${escapeHtml(title)}${aboutHtml(shown)}</h2>${timeHtml(timestamp)}</header>`,
    bodyOf(shown),
    "</article>",
  ].join("\n");
}

function aboutHtml(shown: ShownOnPage): string {
  const { message } = shown;
  const who = headingOf(message)
    .details.map((detail) => ` <span class="who">${escapeHtml(detail)}</span>`)
    .join("");
  if (message.role !== "toolResult") return who;
  const failed = message.isError ? ` <span class="bad">failed</span>` : "";
  return `${who} ${callName(message.toolName, callIdOf(shown))}${failed}`;
}

function sessionHeader(message: SessionMessage): string {
  const { title = "Session", agent, key } = message;
  const { details, timestamp } = headingOf(message);
  const facts = [
    ...details.map((detail) => `<span>${escapeHtml(detail)}</span>`),
    ...(agent === undefined ? [] : [`<span>Agent ${escapeHtml(agent)}</span>`]),
    ...(key === undefined ? [] : [`<span class="id">${escapeHtml(key)}</span>`]),
    timeHtml(timestamp),
  ].filter((fact) => fact !== "");
  return `<header class="session"><h1>${escapeHtml(title)}</h1><p class="facts">${facts.join(" ")}</p></header>`;
}

/** The class names are the page's own: a role of another program is never one of them. */
function classOf(message: AgentMessage): string {
  switch (message.role) {
    case "user":
    case "assistant":
    case "system":
    case "error":
      return message.role;
    case "toolResult":
      return message.isError ? "result failed" : "result";
    default:
      return "aside";
  }
}

function timeHtml(timestamp: number | undefined): string {
  if (timestamp === undefined) return "";
  return `<time datetime="${new Date(timestamp).toISOString()}">${timeText(timestamp)} UTC</time>`;
}

function bodyOf(shown: ShownOnPage): string {
  const { message } = shown;
  switch (message.role) {
    case "user":
    case "system":
    case "toolResult":
      return contentHtml(shown, message.content);
    case "custom":
      return contentHtml(shown, message.content ?? []);
    case "assistant": {
      const ending = endingOf(message);
      const look = message.stopReason === "error" ? "note bad" : "note";
      const note = ending === undefined ? "" : `<p class="${look}">${escapeHtml(ending)}</p>`;
      return contentHtml(shown, message.content) + note;
    }
    case "error":
      return styledText(message.content);
    case "compaction":
      return styledText(message.summary);
    case "agentComplete":
      return json(message.result);
    case "agentMessage":
      return json(message.payload);
    default:
      return "";
  }
}

function contentHtml(shown: ShownOnPage, content: string | readonly AssistantContent[]): string {
  if (typeof content === "string") return styledText(content);
  return content.map((block, index) => blockHtml(shown, block, index)).join("\n");
}
