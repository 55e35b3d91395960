import { expect, test } from "vitest";
import { newSpanContext, readTrace, writeTrace } from "./trace-id.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  [`00-${TRACE}-${SPAN}-03`, true],
  // A later version may have more fields.
  [`01-${TRACE}-${SPAN}-01-more`, true],
])("%s is read", (traceparent, isSampled) => {
  expect(readTrace({ traceparent })).toEqual({ traceId: TRACE, spanId: SPAN, isSampled, state: undefined });
});

test.each([
  undefined,
  "",
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE}\r\nx: y-${SPAN}-01`,
])("%j is not a place in a trace", (traceparent) => {
  expect(readTrace({ traceparent })).toBeUndefined();
});

test.each([
  ["a=1,b=2", "a=1,b=2"],
  [["a=1", "b=2"], "a=1,b=2"],
  ["", undefined],
  ["a=\u0007", undefined],
  ["a=1\r\nx-evil: 1", undefined],
  [`a=${"x".repeat(600)}`, undefined],
  [Array.from({ length: 40 }, (_, index) => `k${index}=1`).join(","), undefined],
])("the state %j is read as %j", (tracestate, state) => {
  expect(readTrace({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate })?.state).toBe(state);
});

test("a child has the trace, the flag and the state of its parent, and a span of its own", () => {
  const parent = { traceId: TRACE, spanId: SPAN, isSampled: false, state: "a=1" };
  const child = newSpanContext(parent);
  expect(child).toEqual({ ...parent, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(child.spanId).not.toBe(SPAN);
  expect(writeTrace(child)).toEqual({ traceparent: `00-${TRACE}-${child.spanId}-00`, tracestate: "a=1" });
});

test("a new trace is recorded", () => {
  expect(newSpanContext(undefined)).toEqual({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    isSampled: true,
  });
});
