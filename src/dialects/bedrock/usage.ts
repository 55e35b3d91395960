import type { JsonObject } from "../../core/json/value.js";
import type { Tokens } from "../../core/message/usage.js";
import type { Usage } from "./wire.js";

/** `inputTokens` does not include tokens that were read from the cache or written to it. */
export function readTokens(usage: JsonObject): Tokens {
  return {
    input: count(usage["inputTokens"]),
    output: count(usage["outputTokens"]),
    cacheRead: count(usage["cacheReadInputTokens"]),
    cacheWrite: count(usage["cacheWriteInputTokens"]),
  };
}

export function writeTokens({ input, output, cacheRead, cacheWrite }: Tokens): Usage {
  const isCached = cacheRead > 0 || cacheWrite > 0;
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output + cacheRead + cacheWrite,
    ...(isCached ? { cacheReadInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite } : {}),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
