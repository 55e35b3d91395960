import type { Context } from "../../core/api/provider.js";
import type { Tokens } from "../../core/message/usage.js";
import type { AgentMessage } from "../../core/types.js";

/** Splits a text into words with their leading white space; joined, they are the text again. */
export function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** The text of a message, without its other blocks. */
export function textOf(
  { content }: { content: string | readonly { type: string; text?: string }[] },
  separator = "",
): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join(separator);
}

/** The last user message as text, with the separator between its blocks, and the messages after it. */
export function lastTurn(
  { messages }: Context,
  separator = "",
): { question: string; since: readonly AgentMessage[] } {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const message = messages[at];
  return {
    question: message?.role === "user" ? textOf(message, separator) : "",
    since: messages.slice(at + 1),
  };
}

/** Of messages that were shown before: a long conversation is counted again at each turn. */
const counted = new WeakMap<AgentMessage, number>();

/** Counts words as tokens. */
export function countTokens(context: Context, answer: string): Partial<Tokens> {
  let input = words(context.systemPrompt ?? "").length;
  for (const message of context.messages) {
    const count = counted.get(message) ?? words(shownText(message)).length;
    counted.set(message, count);
    input += count;
  }
  return { input, output: words(answer).length };
}

function shownText(message: AgentMessage): string {
  return message.role === "user" || message.role === "toolResult" || message.role === "assistant"
    ? textOf(message)
    : "";
}
