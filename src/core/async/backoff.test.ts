import { expect, test } from "vitest";
import { backoff } from "./backoff.js";

const random = () => 1;

test("each pause is longer, up to the longest one", () => {
  const limits = { firstMs: 100, longestMs: 1000, random };
  const pauses = [0, 1, 2, 3, 4, 5000].map((attempt) => backoff(attempt, limits));
  expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect([0, 1, 2].map((attempt) => backoff(attempt, { ...limits, factor: 1.5 }))).toEqual([100, 150, 225]);
});

test("chance takes away half of a pause at most", () => {
  expect(backoff(0, { random: () => 0 })).toBe(125);
  expect(backoff(9, { random })).toBe(15_000);
});
