/** What OTLP writes for the value of an attribute. 64-bit integers are texts. */
export type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: AnyValue[] } };

export interface KeyValue {
  key: string;
  value: AnyValue;
}

/** The kinds of spans that we write. */
export const SPAN_KIND = { internal: 1, client: 3 } as const;
export const STATUS_ERROR = 2;
const CUMULATIVE = 2;

/** A span as OTLP writes it in JSON: ids in hexadecimal digits, times in nanoseconds as texts. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  traceState?: string;
  parentSpanId?: string;
  flags: number;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  events: { name: string; timeUnixNano: string; attributes: KeyValue[] }[];
  status: { code?: number };
}

export interface OtlpHistogramPoint {
  attributes: KeyValue[];
  startTimeUnixNano: string;
  timeUnixNano: string;
  count: string;
  sum: number;
  min: number;
  max: number;
  bucketCounts: string[];
  explicitBounds: number[];
}

export interface OtlpMetric {
  name: string;
  description: string;
  unit: string;
  histogram: { aggregationTemporality: number; dataPoints: OtlpHistogramPoint[] };
}

/** What sent the data. */
export interface Sender {
  resource: { attributes: KeyValue[] };
  scope: { name: string; version: string };
}

/** The value of an attribute before it is written. Undefined values are left out. */
export type Attribute = string | number | boolean | readonly string[] | undefined;
export type Attributes = Readonly<Record<string, Attribute>>;

/** Attributes with fractions even if the value has none. */
const DOUBLES: ReadonlySet<string> = new Set([
  "gen_ai.request.temperature",
  "gen_ai.request.top_p",
  "gen_ai.request.top_k",
  "gen_ai.request.presence_penalty",
  "gen_ai.request.frequency_penalty",
  "gen_ai.response.time_to_first_chunk",
]);

export function keyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(key, value) }],
  );
}

function anyValue(key: string, value: NonNullable<Attribute>): AnyValue {
  switch (typeof value) {
    case "string":
      return { stringValue: value };
    case "boolean":
      return { boolValue: value };
    case "number":
      return Number.isSafeInteger(value) && !DOUBLES.has(key)
        ? { intValue: String(value) }
        : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
  }
}

/** Unix milliseconds, with fractions, as nanoseconds. */
export function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

/** The body of a request to `/v1/traces`, of spans that are JSON already. */
export function traceBody({ resource, scope }: Sender, spans: readonly string[]): string {
  const [before, after] = JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [] }] }],
  }).split('"spans":[]');
  return `${before}"spans":[${spans.join(",")}]${after}`;
}

/** The body of a request to `/v1/metrics`. */
export function metricBody({ resource, scope }: Sender, metrics: readonly OtlpMetric[]): string {
  return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] });
}

export function histogramMetric(
  { name, description, unit }: Pick<OtlpMetric, "name" | "description" | "unit">,
  dataPoints: OtlpHistogramPoint[],
): OtlpMetric {
  return { name, description, unit, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
}
