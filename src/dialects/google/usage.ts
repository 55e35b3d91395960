import type { JsonObject } from "../../core/json/value.js";
import type { Tokens } from "../../core/message/usage.js";
import type { Usage } from "../../core/types.js";
import type { UsageMetadata } from "./wire.js";

/** Google counts cached tokens as part of the prompt, and thoughts separately from the answer. */
export function readTokens(metadata: JsonObject): Tokens {
  const cacheRead = count(metadata, "cachedContentTokenCount");
  const prompt = count(metadata, "promptTokenCount") + count(metadata, "toolUsePromptTokenCount");
  return {
    input: Math.max(0, prompt - cacheRead),
    output: count(metadata, "candidatesTokenCount") + count(metadata, "thoughtsTokenCount"),
    cacheRead,
    cacheWrite: 0,
    reasoning: count(metadata, "thoughtsTokenCount"),
  };
}

/** The fields of a usage that our four counts do not contain. */
export function furtherUsage(metadata: JsonObject): JsonObject {
  const { promptTokenCount, candidatesTokenCount, cachedContentTokenCount, totalTokenCount, ...rest } =
    metadata;
  const { input, output, cacheRead } = readTokens(metadata);
  return totalTokenCount === undefined || totalTokenCount === input + output + cacheRead
    ? rest
    : { ...rest, totalTokenCount };
}

export function writeUsage({ input, output, cacheRead, cacheWrite }: Usage, further: JsonObject): JsonObject {
  const thoughts = count(further, "thoughtsTokenCount");
  const fromTools = count(further, "toolUsePromptTokenCount");
  const metadata: UsageMetadata = {
    promptTokenCount: Math.max(0, input + cacheRead + cacheWrite - fromTools),
    candidatesTokenCount: Math.max(0, output - thoughts),
    ...(cacheRead === 0 ? {} : { cachedContentTokenCount: cacheRead }),
    totalTokenCount: input + output + cacheRead + cacheWrite,
  };
  return { ...metadata, ...further };
}

function count(metadata: JsonObject, key: keyof UsageMetadata): number {
  const value = metadata[key];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
