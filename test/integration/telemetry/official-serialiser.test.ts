import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { expect, test } from "vitest";
import { Span } from "../../../src/telemetry/span.js";
import { type OtlpSpan, traceBody } from "../../../src/telemetry/wire.js";

const sender = {
  resource: { attributes: [{ key: "service.name", value: { stringValue: "dragoman" } }] },
  scope: { name: "dragoman", version: "1.2.3" },
};
const parent = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  isSampled: true,
  state: "congo=t61rcWkgMzE",
};
const attributes = {
  text: "é\u0000\n",
  whole: 7,
  large: Number.MAX_SAFE_INTEGER,
  fraction: 0.25,
  flag: false,
  texts: ["a", "b"],
};

/** Our body for a span that lasts from 1.5 to 2.25 seconds after an hour of 2026. */
function ours(): { body: string; span: OtlpSpan } {
  const times = [1_794_860_401_500, 1_794_860_402_000, 1_794_860_402_250.125];
  const spans: OtlpSpan[] = [];
  const sink = { now: () => times.shift() ?? 0, add: (span: OtlpSpan) => spans.push(span) };
  const span = new Span(sink, { name: "chat m", kind: 3, parent, attributes });
  span.addEvent("asked", { id: "q1" });
  span.end("provider/http");
  const [written] = spans;
  if (written === undefined) throw new Error("nothing was exported");
  return {
    body: traceBody(
      sender,
      spans.map((one) => JSON.stringify(one)),
    ),
    span: written,
  };
}

const time = (seconds: number, nanoseconds: number): [number, number] => [seconds, nanoseconds];

/** What the serialiser reads of a trace state. */
const state = {
  get: () => undefined,
  set: () => state,
  unset: () => state,
  serialize: () => "congo=t61rcWkgMzE",
};

const resource = {
  attributes: { "service.name": "dragoman" },
  merge: () => resource,
  getRawAttributes: () => [],
};

test("the official serialiser writes the same request", () => {
  const { body, span } = ours();
  const bytes = JsonTraceSerializer.serializeRequest([
    {
      name: "chat m",
      kind: 2,
      spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: 1, traceState: state }),
      parentSpanContext: { traceId: parent.traceId, spanId: parent.spanId, traceFlags: 1 },
      startTime: time(1_794_860_401, 500_000_000),
      endTime: time(1_794_860_402, 250_125_000),
      duration: time(0, 750_125_000),
      status: { code: 2 },
      attributes: { ...attributes, "error.type": "provider/http" },
      links: [],
      events: [
        { name: "asked", time: time(1_794_860_402, 0), attributes: { id: "q1" }, droppedAttributesCount: 0 },
      ],
      ended: true,
      resource,
      instrumentationScope: { name: "dragoman", version: "1.2.3" },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    },
  ]);
  // JSON of protocol buffers allows numbers and texts. That a parent is remote is optional to state, and we do not.
  const official = JSON.parse(new TextDecoder().decode(bytes), (key, value) => {
    if (key === "intValue") return String(value);
    return key === "flags" ? value & 0xff : value;
  });
  expect(official).toMatchObject(JSON.parse(body));
});

test("a span ends once, and not at all if its trace is not recorded", () => {
  const spans: OtlpSpan[] = [];
  const sink = { now: () => 1_794_860_401_500, add: (span: OtlpSpan) => spans.push(span) };
  const span = new Span(sink, { name: "a", kind: 1, parent: undefined, attributes: {} });
  span.end();
  span.end("late");
  new Span(sink, { name: "b", kind: 1, parent: { ...parent, isSampled: false }, attributes: {} }).end();
  expect(spans.map(({ name, status, parentSpanId }) => ({ name, status, parentSpanId }))).toEqual([
    { name: "a", status: {}, parentSpanId: undefined },
  ]);
});
