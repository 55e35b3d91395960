import type { Origin } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Usage } from "../../core/types.js";
import type { UsageFields } from "./wire.js";

export interface ReadUsage {
  usage: Usage;
  /** Whether the provider reported the cost. */
  billed: boolean;
  reasoningTokens: number;
}

/** `prompt_tokens` includes cached tokens. A cost that the provider reports replaces ours. */
export function readUsage(raw: JsonObject, origin: Origin): ReadUsage {
  const prompt = count(raw["prompt_tokens"]);
  const details = detailsOf(raw, "prompt_tokens_details");
  const cached = details["cached_tokens"] ?? raw["prompt_cache_hit_tokens"] ?? raw["cached_tokens"];
  const cacheRead = Math.min(count(cached), prompt);
  const cacheWrite = Math.min(count(details["cache_write_tokens"]), prompt - cacheRead);
  const reasoningTokens = count(detailsOf(raw, "completion_tokens_details")["reasoning_tokens"]);
  const output = outputOf(raw, prompt, reasoningTokens);
  const input = prompt - cacheRead - cacheWrite;
  const usage = origin.price({ input, output, cacheRead, cacheWrite, reasoning: reasoningTokens });
  const total = billedTotal(raw);
  if (total !== undefined) usage.cost.total = total;
  return { usage, billed: total !== undefined, reasoningTokens };
}

/** xAI does not count reasoning in `completion_tokens`; its `total_tokens` shows that. */
function outputOf(raw: JsonObject, prompt: number, reasoning: number): number {
  const completion = count(raw["completion_tokens"]);
  return raw["total_tokens"] === prompt + completion + reasoning ? completion + reasoning : completion;
}

/** OpenRouter reports dollars (`cost`), xAI ten-billionths of a dollar (`cost_in_usd_ticks`). */
function billedTotal({ cost, cost_in_usd_ticks: ticks }: JsonObject): number | undefined {
  if (isNumber(cost)) return cost;
  return isNumber(ticks) ? ticks / 1e10 : undefined;
}

function detailsOf(raw: JsonObject, key: string): JsonObject {
  const details = raw[key];
  return isObject(details) ? details : {};
}

/** A JSON number such as 1e999 is parsed as Infinity. */
function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function count(value: unknown): number {
  return isNumber(value) && value > 0 ? value : 0;
}

export function writeUsage(
  { input, output, cacheRead, cacheWrite }: Usage,
  reasoningTokens: unknown,
): UsageFields {
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: cacheRead,
      ...(cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {}),
    },
    ...(typeof reasoningTokens === "number"
      ? { completion_tokens_details: { reasoning_tokens: reasoningTokens } }
      : {}),
  };
}
