import { isObject, isString } from "../../src/core/json/value.js";

type Json = Record<string, unknown>;

/** A span as a test reads it. */
export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  traceState: string | undefined;
  attributes: Json;
  events: { name: string; attributes: Json }[];
  isError: boolean;
  start: bigint;
  end: bigint;
}

const SPAN_FIELDS = {
  traceId: /^[0-9a-f]{32}$/,
  spanId: /^[0-9a-f]{16}$/,
  parentSpanId: /^[0-9a-f]{16}$/,
  startTimeUnixNano: /^\d{19}$/,
  endTimeUnixNano: /^\d{19}$/,
} as const;
const OTHER_FIELDS = ["name", "kind", "traceState", "flags", "attributes", "events", "status"];

/** What the JSON encoding of the protocol does not allow in a span. */
export function spanProblems(span: Json): string[] {
  const problems: string[] = [];
  for (const [field, pattern] of Object.entries(SPAN_FIELDS)) {
    const value = span[field];
    if (value === undefined && field === "parentSpanId") continue;
    if (!isString(value) || !pattern.test(value)) problems.push(`${field} is ${JSON.stringify(value)}`);
  }
  for (const field of Object.keys(span)) {
    if (!(field in SPAN_FIELDS) && !OTHER_FIELDS.includes(field)) problems.push(`unknown field ${field}`);
  }
  if (!isString(span["name"]) || span["name"] === "") problems.push("no name");
  if (![1, 2, 3, 4, 5].includes(Number(span["kind"]))) problems.push(`kind ${JSON.stringify(span["kind"])}`);
  if (BigInt(String(span["endTimeUnixNano"])) < BigInt(String(span["startTimeUnixNano"]))) {
    problems.push("it ends before it starts");
  }
  for (const event of objectsIn(span["events"])) {
    if (!SPAN_FIELDS.startTimeUnixNano.test(String(event["timeUnixNano"]))) problems.push("an event's time");
    problems.push(...attributeProblems(event["attributes"]));
  }
  return [...problems, ...attributeProblems(span["attributes"])];
}

/** The same for a metric; only histograms are known. */
export function metricProblems({ name, unit, histogram }: Json): string[] {
  if (!isString(name) || !isString(unit) || !isObject(histogram)) return ["not a histogram"];
  if (histogram["aggregationTemporality"] !== 2) return ["not cumulative"];
  return objectsIn(histogram["dataPoints"]).flatMap((point) => {
    const { bucketCounts, explicitBounds, count, attributes } = point;
    if (!Array.isArray(bucketCounts) || !Array.isArray(explicitBounds)) return ["no buckets"];
    const total = bucketCounts.reduce((sum: number, one) => sum + Number(one), 0);
    return [
      ...(bucketCounts.length === explicitBounds.length + 1 ? [] : ["a bucket too many or too few"]),
      ...(bucketCounts.every(isString) && isString(count) ? [] : ["counts must be texts"]),
      ...(total === Number(count) ? [] : ["the buckets do not sum up to the count"]),
      ...attributeProblems(attributes),
    ];
  });
}

function attributeProblems(attributes: unknown): string[] {
  if (!Array.isArray(attributes)) return ["attributes must be a list"];
  const keys = attributes.map((one) => (isObject(one) ? one["key"] : undefined));
  return [
    ...(new Set(keys).size === keys.length ? [] : ["a key twice"]),
    ...attributes.flatMap((one) =>
      isObject(one) && isString(one["key"]) ? valueProblems(one["value"]) : ["no key"],
    ),
  ];
}

function valueProblems(value: unknown): string[] {
  if (!isObject(value)) return ["no value"];
  const [[type, content] = ["", undefined], ...others] = Object.entries(value);
  if (others.length > 0) return ["two values"];
  switch (type) {
    case "stringValue":
      return isString(content) ? [] : ["stringValue"];
    case "boolValue":
      return typeof content === "boolean" ? [] : ["boolValue"];
    case "intValue":
      return isString(content) && /^-?\d+$/.test(content) ? [] : ["intValue must be a text"];
    case "doubleValue":
      return typeof content === "number" && Number.isFinite(content) ? [] : ["doubleValue"];
    case "arrayValue":
      return isObject(content) && Array.isArray(content["values"])
        ? content["values"].flatMap(valueProblems)
        : ["arrayValue"];
    default:
      return [`unknown value ${type}`];
  }
}

export function readSpan(span: Json): ReceivedSpan {
  const { name, kind, traceId, spanId, parentSpanId, traceState, status } = span;
  return {
    name: String(name),
    kind: Number(kind),
    traceId: String(traceId),
    spanId: String(spanId),
    parentSpanId: isString(parentSpanId) ? parentSpanId : undefined,
    traceState: isString(traceState) ? traceState : undefined,
    attributes: readAttributes(span["attributes"]),
    events: objectsIn(span["events"]).map((event) => ({
      name: String(event["name"]),
      attributes: readAttributes(event["attributes"]),
    })),
    isError: isObject(status) && status["code"] === 2,
    start: BigInt(String(span["startTimeUnixNano"])),
    end: BigInt(String(span["endTimeUnixNano"])),
  };
}

function readAttributes(attributes: unknown): Json {
  return Object.fromEntries(objectsIn(attributes).map(({ key, value }) => [String(key), readValue(value)]));
}

function readValue(value: unknown): unknown {
  const [[type, content] = ["", undefined]] = Object.entries(isObject(value) ? value : {});
  if (type === "intValue") return Number(content);
  if (type !== "arrayValue" || !isObject(content)) return content;
  return Array.isArray(content["values"]) ? content["values"].map(readValue) : [];
}

function objectsIn(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
