import type { Context } from "../../core/api/provider.js";
import type { AgentMessage, UserContent, UserMessage } from "../../core/types.js";
import { CLIENT_INSTRUCTIONS } from "../../runtime/agents.js";
import { unservable } from "./failure.js";

/**
 * The message for an agent: the last user message of a request, after the client's other content, which is marked as the
 * client's. The client's system prompt never replaces the agent's, and its earlier messages are only quoted.
 */
export function promptOf({ systemPrompt, messages, tools }: Context, includesEarlier: boolean): UserMessage {
  if (tools !== undefined && tools.length > 0) {
    throw unservable(
      "/tools",
      "the request has tools, but an agent uses only its own; name a provider/model to use the client's tools",
    );
  }
  const last = messages.at(-1);
  if (last?.role !== "user") {
    throw unservable("", "the last message of a request to an agent must be a user message");
  }
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
    content: preface.length === 0 ? content : [prefaceBlock(preface), ...blocksOf(content)],
    timestamp: last.timestamp,
    ...(sender === undefined ? {} : { sender }),
  };
}

/** The messages before the last one, without system messages. */
export function earlierOf(messages: readonly AgentMessage[]): AgentMessage[] {
  return messages.slice(0, -1).filter(({ role }) => role !== "system");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`[${title}]\n${lines.join("\n")}`];
}

function prefaceBlock(sections: readonly string[]): UserContent {
  return { type: "text", text: [...sections, "[The message:]\n"].join("\n\n") };
}

function blocksOf(content: UserMessage["content"]): UserContent[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function lineOf(message: AgentMessage): string {
  return `${message.role}: ${textOf(message)}`;
}

/** The text of a message. Other blocks are named, so that the model knows about them. */
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
