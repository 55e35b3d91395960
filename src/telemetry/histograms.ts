import {
  type Attributes,
  histogramMetric,
  keyValues,
  nanoseconds,
  type OtlpHistogramPoint,
  type OtlpMetric,
} from "./wire.js";

export interface HistogramKind {
  name: string;
  description: string;
  unit: string;
  /** The upper bounds of the buckets. */
  bounds: readonly number[];
}

interface Series {
  attributes: Attributes;
  count: number;
  sum: number;
  min: number;
  max: number;
  buckets: number[];
}

/** Each combination of attributes is a series that is kept and exported for good; further ones are counted together. */
const MAX_SERIES = 1_000;
const OVERFLOW = { "otel.metric.overflow": true };

/** Histograms that grow from the start of the process on. */
export class Histograms {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #kinds = new Map<HistogramKind, Map<string, Series>>();

  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  record(kind: HistogramKind, value: number, attributes: Attributes): void {
    const all = this.#kinds.get(kind) ?? new Map<string, Series>();
    this.#kinds.set(kind, all);
    const series = findSeries(all, kind, attributes);
    series.count++;
    series.sum += value;
    series.min = Math.min(series.min, value);
    series.max = Math.max(series.max, value);
    const bucket = kind.bounds.findIndex((bound) => value <= bound);
    const at = bucket === -1 ? kind.bounds.length : bucket;
    series.buckets[at] = (series.buckets[at] ?? 0) + 1;
  }

  /** Everything so far; empty before the first value. */
  metrics(): OtlpMetric[] {
    return [...this.#kinds].map(([kind, series]) =>
      histogramMetric(
        kind,
        [...series.values()].map((one) => this.#point(kind, one)),
      ),
    );
  }

  #point(
    { bounds }: HistogramKind,
    { attributes, count, sum, min, max, buckets }: Series,
  ): OtlpHistogramPoint {
    return {
      attributes: keyValues(attributes),
      startTimeUnixNano: nanoseconds(this.#startedAt),
      timeUnixNano: nanoseconds(this.#now()),
      count: String(count),
      sum,
      min,
      max,
      bucketCounts: buckets.map(String),
      explicitBounds: [...bounds],
    };
  }
}

function findSeries(all: Map<string, Series>, { bounds }: HistogramKind, given: Attributes): Series {
  const isFull = all.size >= MAX_SERIES && !all.has(JSON.stringify(given));
  const attributes = isFull ? OVERFLOW : given;
  const key = JSON.stringify(attributes);
  const known = all.get(key);
  if (known !== undefined) return known;
  const series: Series = {
    attributes,
    count: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    buckets: new Array<number>(bounds.length + 1).fill(0),
  };
  all.set(key, series);
  return series;
}
