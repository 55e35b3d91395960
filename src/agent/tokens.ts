import { isBroken } from "../core/message/failure.js";
import { noteOf } from "../core/message/notes.js";
import type { AgentMessage, AssistantContent, UserContent } from "../core/types.js";
import { contextOf } from "./context.js";

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
  const counted = messages.findLastIndex(
    (message) => message.role === "assistant" && message.usage.totalTokens > 0 && !isBroken(message),
  );
  const answer = messages[counted];
  // A count from before a compaction, or before its undoing, was for another context.
  const changed = messages.findLastIndex(
    (message) => message.role === "compaction" || noteOf(message)?.type === "dragoman/undo-compaction",
  );
  const known = answer?.role === "assistant" && counted > changed;
  const rest = contextOf(known ? messages.slice(counted + 1) : messages);
  let tokens = known ? answer.usage.totalTokens : 0;
  for (const message of rest) tokens += estimateTokens(message);
  return tokens;
}
