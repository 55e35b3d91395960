import { generationOf } from "../../core/api/claude-generation.js";
import type { Call, Context } from "../../core/api/provider.js";
import type { AgentMessage } from "../../core/types.js";

/** For other models: servers that speak this API accept it, and a long file fits into it. */
const UNKNOWN = 8192;
/** What is always left for the answer; a conversation that leaves less is too long anyway. */
const LEAST = 4096;

/**
 * How long an answer may be when nobody has said it; the API requires a limit, and refuses one above the model's own.
 * It is as long as the model can answer, and shorter only when the window, less what is sent, leaves less.
 */
export function longestAnswer({ model, context, limits = {} }: Call): number {
  const longest = limits.maxOutput ?? longestOfGeneration(model);
  const { contextWindow } = limits;
  if (contextWindow === undefined) return longest;
  const room = contextWindow - approximateTokens(context);
  return Math.min(longest, Math.max(LEAST, room));
}

/** What every model of a generation of Claude can answer. */
function longestOfGeneration(model: string): number {
  const generation = generationOf(model);
  if (generation === undefined) return UNKNOWN;
  if (generation >= 3.07) return 32_000;
  return generation >= 3.05 ? 8192 : 4096;
}

/** Few, so that rather too many tokens are counted. */
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

/** The texts of a message, and something else for each of its media. */
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
