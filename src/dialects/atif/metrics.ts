import { isEmpty, isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, Usage } from "../../core/types.js";

/** The key in `metrics.extra` for tokens written to a cache, for which metrics have no field. */
const CACHE_WRITE = "cache_creation_input_tokens";

const COST_PARTS = ["input", "output", "cacheRead", "cacheWrite"].map((part) => `/usage/cost/${part}`);

/** The usage, and pointers to what the metrics do not state. `prompt_tokens` includes cached tokens. */
export function decodeMetrics(metrics: unknown): { usage: Usage; synthesised: string[] } {
  const usage = emptyUsage();
  const known = isObject(metrics) ? metrics : {};
  const { prompt_tokens: prompt, completion_tokens: output, cached_tokens: cached, cost_usd: cost } = known;
  const extra = isObject(known["extra"]) ? known["extra"] : {};
  if (![prompt, output, cached, cost].some(isNumber)) return { usage, synthesised: ["/usage"] };
  usage.output = isNumber(output) ? output : 0;
  usage.cacheRead = isNumber(cached) ? cached : 0;
  usage.cacheWrite = isNumber(extra[CACHE_WRITE]) ? extra[CACHE_WRITE] : 0;
  const total = isNumber(prompt) ? prompt : 0;
  const included = total - usage.cacheRead - usage.cacheWrite;
  usage.input = included >= 0 ? included : total;
  usage.totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  usage.cost.total = isNumber(cost) ? cost : 0;
  return {
    usage,
    synthesised: [
      ...(isNumber(prompt) ? [] : ["/usage/input"]),
      ...(isNumber(output) ? [] : ["/usage/output"]),
      ...(isNumber(prompt) && isNumber(output) ? [] : ["/usage/totalTokens"]),
      ...(isNumber(cost) ? COST_PARTS : ["/usage/cost"]),
    ],
  };
}

/** Undefined if no usage is known. */
export function encodeMetrics(message: AssistantMessage): JsonObject | undefined {
  const { input, output, cacheRead, cacheWrite, cost } = message.usage;
  const isKnown = (pointer: string) => !isSynthesised(message, pointer);
  const metrics = {
    ...(isKnown("/usage/input") ? { prompt_tokens: input + cacheRead + cacheWrite } : {}),
    ...(isKnown("/usage/output") ? { completion_tokens: output } : {}),
    ...(isKnown("/usage/cacheRead") && cacheRead > 0 ? { cached_tokens: cacheRead } : {}),
    ...(isKnown("/usage/cost/total") ? { cost_usd: cost.total } : {}),
    ...(isKnown("/usage/cacheWrite") && cacheWrite > 0 ? { extra: { [CACHE_WRITE]: cacheWrite } } : {}),
  };
  return isEmpty(metrics) ? undefined : metrics;
}
