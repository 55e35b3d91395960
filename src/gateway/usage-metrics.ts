import type { Runtime } from "../runtime/runtime.js";
import type { UsageRecord } from "../runtime/usage/record.js";
import type { TokenStore } from "./auth/token-store.js";
import type { MetricsRegistry } from "./metrics.js";

/** More combinations of token, agent and model than this are counted as `other`, because each is a series to store. */
const MAX_SERIES = 1_000;

const KINDS = ["input", "output", "cacheRead", "cacheWrite", "reasoning"] as const;

/** Counts what calls use, and reports what is left of budgets. Returns a function that stops counting. */
export function measureUsage(
  metrics: MetricsRegistry,
  { usage }: Pick<Runtime, "usage">,
  tokens: Pick<TokenStore, "list">,
): () => void {
  metrics.gauges("dragoman_budget_remaining_dollars", async () => {
    const values = [];
    for (const { id, name } of await tokens.list()) {
      const status = await usage.status(id);
      if (status === undefined) continue;
      values.push({ labels: { token: id, name, per: status.per }, value: status.remaining });
    }
    return values;
  });
  const series = new Set<string>();
  const count = (record: UsageRecord) => {
    const labels = labelsOf(record, series);
    metrics.count("dragoman_model_calls_total", labels);
    for (const kind of KINDS) {
      if (record[kind] > 0) metrics.count("dragoman_model_tokens_total", { ...labels, kind }, record[kind]);
    }
    metrics.count("dragoman_model_cost_dollars_total", labels, record.cost);
    if (record.unpriced > 0) metrics.count("dragoman_model_unpriced_calls_total", labels, record.unpriced);
  };
  // After the answer, which is written in this turn of the event loop.
  return usage.watch((record) => setImmediate(count, record));
}

function labelsOf({ token, agent, model }: UsageRecord, series: Set<string>): Record<string, string> {
  const key = JSON.stringify([token, agent, model]);
  if (series.size >= MAX_SERIES && !series.has(key))
    return { token: "other", agent: "other", model: "other" };
  series.add(key);
  return { token, agent, model };
}
