import { expect, test } from "vitest";
import { mend } from "./mend.js";

test("a timestamp in seconds becomes one in milliseconds, and all else stays", () => {
  expect(mend({ role: "user", timestamp: 1_740_000_000.5, content: "hi", mood: 1 })).toEqual({
    records: [{ role: "user", timestamp: 1_740_000_000_500, content: "hi", mood: 1 }],
    changes: ["The timestamp was in seconds; milliseconds were written."],
  });
});

test.each([1_740_000_000_000, 100_000_000_000, 99_999_999, 0, -1_740_000_000, "1740000000", undefined])(
  "the timestamp %j is left alone",
  (timestamp) => {
    expect(mend({ role: "user", content: "hi", timestamp })).toBeUndefined();
  },
);

test("a timestamp as ISO text becomes milliseconds", () => {
  expect(mend({ role: "user", content: "hi", timestamp: "2025-02-19T21:20:00Z" })).toEqual({
    records: [{ role: "user", content: "hi", timestamp: 1_740_000_000_000 }],
    changes: ["The timestamp was text; milliseconds were written."],
  });
});

test("arguments given as JSON text are parsed", () => {
  const call = { type: "toolCall", id: "c", name: "read" };
  expect(
    mend({ role: "assistant", content: [{ ...call, arguments: '{"path":"x"}' }], stopReason: "tool_use" }),
  ).toEqual({
    records: [{ role: "assistant", content: [{ ...call, arguments: { path: "x" } }], stopReason: "toolUse" }],
    changes: ['The arguments of the call "c" were parsed.', 'The stop reason "tool_use" became "toolUse".'],
  });
  expect(mend({ role: "assistant", content: [{ ...call, arguments: '{"pa' }] })).toBeUndefined();
});

test("the content of a result given as text becomes a block", () => {
  expect(mend({ role: "toolResult", content: "ok", isError: "true" })).toEqual({
    records: [{ role: "toolResult", content: [{ type: "text", text: "ok" }], isError: true }],
    changes: ["The text of the content became a text block.", "The isError was text; a boolean was written."],
  });
});
