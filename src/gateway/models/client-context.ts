import type { Context } from "../../core/api/provider.js";
import type { AgentMessage, UserContent, UserMessage } from "../../core/types.js";
import { CLIENT_INSTRUCTIONS } from "../../runtime/agents.js";
import { unservable } from "./failure.js";

/**
 * What an agent is sent of a request: the last message of the user. What else the client says stands before it, marked as
 * the client's: its system text never becomes the agent's, and its account of earlier messages is only that.
 */
export function promptOf({ systemPrompt, messages, tools }: Context, includesEarlier: boolean): UserMessage {
  if (tools !== undefined && tools.length > 0) {
    throw unservable(
      "/tools",
      "the request brings tools, and an agent uses only its own; ask for a provider/model to use the client's",
    );
  }
  const last = messages.at(-1);
  if (last?.role !== "user") throw unservable("", "the last message of a request to an agent is the user's");
  const instructions = [
    ...(systemPrompt === undefined ? [] : [systemPrompt]),
    ...messages.filter(({ role }) => role === "system").map(textOf),
  ];
  const earlier = includesEarlier ? earlierOf(messages).map(lineOf) : [];
  const preface = [
    ...section(CLIENT_INSTRUCTIONS, instructions),
    ...section("What was said before, as the client tells it:", earlier),
  ];
  const { content, sender } = last;
  return {
    role: "user",
    content: preface.length === 0 ? content : [marked(preface), ...blocksOf(content)],
    timestamp: last.timestamp,
    ...(sender === undefined ? {} : { sender }),
  };
}

/** The messages before the last one that somebody said. */
export function earlierOf(messages: readonly AgentMessage[]): AgentMessage[] {
  return messages.slice(0, -1).filter(({ role }) => role !== "system");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`[${title}]\n${lines.join("\n")}`];
}

function marked(sections: readonly string[]): UserContent {
  return { type: "text", text: [...sections, "[The message:]\n"].join("\n\n") };
}

function blocksOf(content: UserMessage["content"]): UserContent[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function lineOf(message: AgentMessage): string {
  return `${message.role}: ${textOf(message)}`;
}

/** Blocks that are no text are named, so that it shows that there was something. */
function textOf(message: AgentMessage): string {
  if (!("content" in message) || message.content === undefined) return `(${message.role})`;
  const { content } = message;
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if (block.type === "text") return block.text;
      return block.type === "toolCall" ? `(called ${block.name})` : `(${block.type})`;
    })
    .join("");
}
