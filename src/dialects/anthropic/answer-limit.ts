import { generationOf } from "../../core/api/claude-generation.js";
import type { Call, Context } from "../../core/api/provider.js";
import type { AgentMessage } from "../../core/types.js";

/** For other models: all servers with this API accept it, and it is enough for a long file. */
const UNKNOWN = 8192;
/** The least that is reserved for the answer; a conversation that leaves less is too long anyway. */
const LEAST = 4096;

/**
 * The default limit on the answer's length. The API requires a limit, and refuses one above the model's own. The default is
 * the model's maximum, or what the context window has left after the input.
 */
export function longestAnswer({ model, context, limits = {} }: Call): number {
  const longest = limits.maxOutput ?? longestOfGeneration(model);
  const { contextWindow } = limits;
  if (contextWindow === undefined) return longest;
  const room = contextWindow - approximateTokens(context);
  return Math.min(longest, Math.max(LEAST, room));
}

/** The longest answer that every model of a Claude generation can give. */
function longestOfGeneration(model: string): number {
  const generation = generationOf(model);
  if (generation === undefined) return UNKNOWN;
  if (generation >= 3.07) return 32_000;
  return generation >= 3.05 ? 8192 : 4096;
}

/** A low value, so that the estimate is too high rather than too low. */
const CHARACTERS_PER_TOKEN = 3;
const TOKENS_OF_MEDIA = 1600;

function approximateTokens({ systemPrompt = "", tools = [], messages }: Context): number {
  let characters = systemPrompt.length + JSON.stringify(tools).length;
  let media = 0;
  for (const block of messages.flatMap(blocksOf)) {
    if (typeof block === "string") characters += block.length;
    else media++;
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + media * TOKENS_OF_MEDIA;
}

/** The texts of a message, and undefined for each media block. */
function blocksOf(message: AgentMessage): (string | undefined)[] {
  if (!("content" in message) || message.content === undefined) return [];
  if (typeof message.content === "string") return [message.content];
  return message.content.map((block) => {
    switch (block.type) {
      case "text":
        return block.text;
      case "thinking":
        return `${block.thinking}${block.thinkingSignature ?? ""}`;
      case "toolCall":
        return JSON.stringify(block.arguments);
      case "opaque":
        return JSON.stringify(block.value);
      default:
        return undefined;
    }
  });
}
