import { expect, test } from "vitest";
import { duration } from "./duration.js";

test.each([
  [0, "0.0 s"],
  [1234, "1.2 s"],
  [12_900, "12 s"],
  [185_000, "3 min 5 s"],
])("%i ms are %s", (ms, expected) => {
  expect(duration(ms)).toBe(expected);
});
