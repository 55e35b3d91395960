import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Tokens } from "../../core/message/usage.js";
import type { Usage } from "../../core/types.js";
import type { ResponseUsage } from "./wire.js";

/** This API counts cached tokens as input; our model counts them separately. */
export function readTokens(usage: JsonObject): Tokens {
  const details = usage["input_tokens_details"];
  const cacheRead = count(details, "cached_tokens");
  const cacheWrite = count(details, "cache_write_tokens");
  return {
    input: Math.max(0, count(usage, "input_tokens") - cacheRead - cacheWrite),
    output: count(usage, "output_tokens"),
    cacheRead,
    cacheWrite,
    reasoning: count(usage["output_tokens_details"], "reasoning_tokens"),
  };
}

/** The fields of a usage that our model does not have; undefined if there are none. */
export function otherUsage(usage: JsonObject): JsonObject | undefined {
  const {
    input_tokens,
    input_tokens_details,
    output_tokens,
    output_tokens_details,
    total_tokens,
    ...others
  } = usage;
  const thought = count(output_tokens_details, "reasoning_tokens") > 0;
  const rest = { ...others, ...(thought ? { output_tokens_details } : {}) };
  return Object.keys(rest).length === 0 ? undefined : rest;
}

export function writeUsage({ input, output, cacheRead, cacheWrite }: Usage, others: unknown): JsonObject {
  const all = input + cacheRead + cacheWrite;
  const usage: ResponseUsage = {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: all + output,
  };
  return { ...usage, ...(isObject(others) ? others : {}) };
}

function count(object: unknown, key: string): number {
  const value = isObject(object) ? object[key] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
