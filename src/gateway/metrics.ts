import type { LossRecord } from "../core/message/notes.js";
import type { Store, StoreCounts } from "../log/store.js";
import type { Runtime } from "../runtime/runtime.js";
import type { Metrics } from "./types.js";

type Labels = Readonly<Record<string, string>>;

interface LabelledValue {
  labels: Labels;
  value: number;
}

/** Metrics in Prometheus' text format, version 0.0.4. */
export class MetricsRegistry implements Metrics {
  readonly #counters = new Map<string, Map<string, number>>();
  readonly #gauges = new Map<string, () => number>();
  readonly #labelled = new Map<string, () => Promise<readonly LabelledValue[]>>();

  count(name: string, labels: Labels = {}, by = 1): void {
    const series = this.#counters.get(name) ?? new Map<string, number>();
    const key = labelText(labels);
    series.set(key, (series.get(key) ?? 0) + by);
    this.#counters.set(name, series);
  }

  gauge(name: string, value: () => number): void {
    this.#gauges.set(name, value);
  }

  /** A gauge with a value for each set of labels. */
  gauges(name: string, values: () => Promise<readonly LabelledValue[]>): void {
    this.#labelled.set(name, values);
  }

  /**
   *     # TYPE dragoman_http_requests_total counter
   *     dragoman_http_requests_total{method="GET",route="/metrics",status="200"} 3
   */
  async text(): Promise<string> {
    const lines: string[] = [];
    for (const [name, series] of sorted(this.#counters)) {
      lines.push(`# TYPE ${name} counter`);
      for (const [labels, value] of sorted(series)) lines.push(`${name}${labels} ${value}`);
    }
    for (const [name, value] of sorted(this.#gauges))
      lines.push(`# TYPE ${name} gauge`, `${name} ${value()}`);
    for (const [name, values] of sorted(this.#labelled)) {
      lines.push(`# TYPE ${name} gauge`);
      for (const { labels, value } of await values()) lines.push(`${name}${labelText(labels)} ${value}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

export function watchProcess(metrics: Metrics): void {
  metrics.gauge("process_resident_memory_bytes", () => process.memoryUsage.rss());
  metrics.gauge("process_uptime_seconds", () => process.uptime());
  metrics.gauge("process_cpu_seconds_total", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge("nodejs_heap_used_bytes", () => process.memoryUsage().heapUsed);
}

/** What could not be delivered to the collector of traces. */
export function watchTelemetry(metrics: Metrics, { telemetry }: Pick<Runtime, "telemetry">): void {
  if (telemetry === undefined) return;
  metrics.gauge("dragoman_telemetry_dropped_spans_total", () => telemetry.droppedSpans);
}

/** What a store counts that several gateways share. */
export function watchStore(metrics: Metrics, store: Pick<Store, "counts">): void {
  const watch = (name: string, value: (counts: StoreCounts) => number) => {
    metrics.gauge(name, () => {
      const counts = store.counts?.();
      return counts === undefined ? 0 : value(counts);
    });
  };
  if (store.counts === undefined) return;
  watch("dragoman_store_appends_total", ({ appends }) => appends);
  watch("dragoman_store_commits_total", ({ commits }) => commits);
  watch("dragoman_store_repeated_commits_total", ({ repeatedCommits }) => repeatedCommits);
  watch("dragoman_store_leases_total", ({ leases }) => leases);
  watch("dragoman_store_takeovers_total", ({ takeovers }) => takeovers);
  watch("dragoman_store_lost_leases_total", ({ lostLeases }) => lostLeases);
}

/** Counts the losses of translated conversations. */
export function countLosses(metrics: Metrics, { border, target, losses }: LossRecord): void {
  for (const { severity } of losses) metrics.count("dragoman_losses_total", { border, target, severity });
}

function sorted<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Characters that are escaped in the value of a label. */
const SPECIAL = /["\\\n]/;

function labelText(labels: Labels): string {
  let text = "";
  for (const name of Object.keys(labels).sort()) {
    text += `${text === "" ? "{" : ","}${name}="${escapeValue(String(labels[name]))}"`;
  }
  return text === "" ? "" : `${text}}`;
}

function escapeValue(value: string): string {
  if (!SPECIAL.test(value)) return value;
  return value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
}
