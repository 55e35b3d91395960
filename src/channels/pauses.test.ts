import { expect, test } from "vitest";
import { cappedPause } from "./pauses.js";
import { SendError } from "./types.js";

test("a pause that a platform asks for is kept for a day at most", () => {
  expect([5, -1, 86_400_000, 9_999_999_000, Number.POSITIVE_INFINITY].map(cappedPause)).toEqual([
    5, 0, 86_400_000, 86_400_000, 86_400_000,
  ]);
  expect(new SendError("later", "wait", { afterMs: 2_592_000_000 }).afterMs).toBe(86_400_000);
  expect(new SendError("later", "wait").afterMs).toBeUndefined();
});
