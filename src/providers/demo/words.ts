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

/** The number of `words`, without creating them: a long conversation is counted at each turn. */
export function countWords(text: string): number {
  let count = 0;
  let wasSpace = true;
  for (let index = 0; index < text.length; index++) {
    const isSpace = isWhiteSpace(text.charCodeAt(index));
    if (wasSpace && !isSpace) count++;
    wasSpace = isSpace;
  }
  return wasSpace && text !== "" ? count + 1 : count;
}

function isWhiteSpace(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return /\s/.test(String.fromCharCode(code));
}

/** Counts words as tokens. */
export function countTokens(context: Context, answer: string): Partial<Tokens> {
  let input = countWords(context.systemPrompt ?? "");
  for (const message of context.messages) input += countWords(shownText(message));
  return { input, output: countWords(answer) };
}

function shownText(message: AgentMessage): string {
  return message.role === "user" || message.role === "toolResult" || message.role === "assistant"
    ? textOf(message)
    : "";
}
