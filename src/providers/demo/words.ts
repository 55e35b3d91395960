import type { Context } from "../../core/api/provider.js";
import type { Tokens } from "../../core/message/usage.js";
import type { AgentMessage } from "../../core/types.js";

/** Words with the space before them, so that joined they are the text again. */
export function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** The text of a message; blocks that are none leave no trace. */
export function textOf(
  { content }: { content: string | readonly { type: string; text?: string }[] },
  separator = "",
): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join(separator);
}

/** The last thing a user said, with the separator between its blocks, and what came after it. */
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

/** A count of tokens that is always the same: words. */
export function countTokens(context: Context, answer: string): Partial<Tokens> {
  const input = [context.systemPrompt ?? "", ...context.messages.map(shownText)];
  return { input: input.reduce((sum, text) => sum + words(text).length, 0), output: words(answer).length };
}

function shownText(message: AgentMessage): string {
  return message.role === "user" || message.role === "toolResult" || message.role === "assistant"
    ? textOf(message)
    : "";
}
