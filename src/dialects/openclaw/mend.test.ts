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
