import type { Drift } from "../../core/dialect.js";
import { isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { METRICS, NAME } from "./wire.js";

const { error, warning } = driftsOf(NAME);

/** `isLast`: the turn has no later answer; `isRetried`: the next message is another answer. */
export function* checkMetrics(
  metrics: unknown,
  at: string,
  { isLast, isRetried }: { isLast: boolean; isRetried: boolean },
): Generator<Drift> {
  if (!isObject(metrics)) {
    yield error(at, "bad-metrics", "the metrics are not an object");
    return;
  }
  if (!isLast && !isRetried) {
    const message = "an assistant message before the last of its turn has metrics";
    const hint = "remove them: the last one has the metrics of the whole turn";
    yield warning(at, "metrics-not-last", message, hint);
  }
  if (metrics["cost"] === undefined) {
    yield warning(at, "no-cost", "the metrics have no cost", 'write "cost": 0 when there was none');
  }
  const missing = METRICS.filter((field) => field !== "cost" && metrics[field] === undefined);
  if (missing.length > 0) {
    const message = `the metrics lack ${missing.join(", ")}`;
    yield warning(at, "incomplete-metrics", message, "write 0 where there was none");
  }
  const wrong = METRICS.flatMap((field) => {
    const problem = problemOf(field, metrics[field]);
    return problem === undefined ? [] : [error(`${at}/${field}`, "bad-metrics", problem)];
  });
  yield* wrong;
  if (wrong.length === 0) yield* checkInput(metrics, at);
}

function problemOf(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (!isNumber(value)) return `${field} is not a number`;
  if (value < 0) return `${field} is negative`;
  return field === "cost" || Number.isInteger(value) ? undefined : `${field} is not a whole number`;
}

function* checkInput(metrics: JsonObject, at: string): Generator<Drift> {
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = metrics;
  if (!isNumber(inputTokens) || !isNumber(cacheReadTokens) || !isNumber(cacheWriteTokens)) return;
  if (inputTokens >= cacheReadTokens + cacheWriteTokens) return;
  const message = "inputTokens does not include the cached tokens";
  const hint = "add cacheReadTokens and cacheWriteTokens to it";
  yield warning(`${at}/inputTokens`, "input-without-cache", message, hint);
}
