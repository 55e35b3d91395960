import { type JsonObject, setOwn } from "../../core/json/value.js";
import type { Tokens } from "../../core/message/usage.js";
import type { Usage } from "./wire.js";

export function readTokens(usage: JsonObject): Tokens {
  return {
    input: count(usage["input_tokens"]),
    output: count(usage["output_tokens"]),
    cacheRead: count(usage["cache_read_input_tokens"]),
    cacheWrite: count(usage["cache_creation_input_tokens"]),
  };
}

export function writeTokens({ input, output, cacheRead, cacheWrite }: Tokens): Usage {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  };
}

/** Later values replace earlier ones, because counts are cumulative. Null replaces nothing. */
export function update(known: JsonObject, later: JsonObject): void {
  for (const [key, value] of Object.entries(later)) {
    if (value !== null || !Object.hasOwn(known, key)) setOwn(known, key, value);
  }
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
