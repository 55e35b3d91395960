import type { Context } from "../api/provider.js";
import { isBroken } from "../message/failure.js";
import { noteOf } from "../message/notes.js";
import type { AgentMessage, AssistantContent, UserContent } from "../types.js";
import { contextOf } from "./context-of.js";

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_OF_MEDIA = 1200;

/** A message's approximate number of tokens. */
export function estimateTokens(message: AgentMessage): number {
  if (!("content" in message) || message.content === undefined) return 0;
  const { content } = message;
  if (typeof content === "string") return Math.ceil(content.length / CHARACTERS_PER_TOKEN);
  let tokens = 0;
  for (const block of content) tokens += tokensOfBlock(block);
  return Math.ceil(tokens);
}

function tokensOfBlock(block: UserContent | AssistantContent): number {
  switch (block.type) {
    case "text":
      return block.text.length / CHARACTERS_PER_TOKEN;
    case "thinking":
      return block.thinking.length / CHARACTERS_PER_TOKEN;
    case "toolCall":
      return (block.name.length + JSON.stringify(block.arguments).length) / CHARACTERS_PER_TOKEN;
    case "opaque":
      return JSON.stringify(block.value).length / CHARACTERS_PER_TOKEN;
    default:
      return TOKENS_OF_MEDIA;
  }
}

/**
 * The approximate number of tokens a model is shown: the provider's count for the last answer, and an estimate of the rest.
 *
 * @example
 * const share = contextTokens(messages) / model.card.contextWindow;
 */
export function contextTokens(messages: readonly AgentMessage[]): number {
  const counted = lastCounted(messages);
  const rest = contextOf(messages.slice(counted.index + 1));
  let tokens = counted.tokens;
  for (const message of rest) tokens += estimateTokens(message);
  return tokens;
}

/** The same for a whole request. A provider's count includes the system prompt and the tools. */
export function requestTokens(context: Context): number {
  const { messages } = context;
  return contextTokens(messages) + (lastCounted(messages).index < 0 ? promptTokens(context) : 0);
}

/** The approximate number of tokens of the system prompt and the tools. */
export function promptTokens({ systemPrompt = "", tools = [] }: Context): number {
  const texts = [systemPrompt, ...tools.map((tool) => JSON.stringify(tool))];
  return texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);
}

/** The last answer with a provider's count; index -1 if there is none. */
function lastCounted(messages: readonly AgentMessage[]): { index: number; tokens: number } {
  const index = messages.findLastIndex(
    (message) => message.role === "assistant" && message.usage.totalTokens > 0 && !isBroken(message),
  );
  const answer = messages[index];
  // A count from before a compaction, or before its undoing, was for another context.
  const changed = messages.findLastIndex(
    (message) => message.role === "compaction" || noteOf(message)?.type === "dragoman/undo-compaction",
  );
  if (answer?.role !== "assistant" || index <= changed) return { index: -1, tokens: 0 };
  return { index, tokens: answer.usage.totalTokens };
}
