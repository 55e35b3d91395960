import { expect, test } from "vitest";
import { merge } from "./merge.js";

test("texts and lists grow, however long they are, and the rest is replaced", () => {
  const target = { text: "a", list: [1], kept: true, count: 1 };
  merge(target, { text: "b", list: [2], kept: null, count: 2 });
  expect(target).toEqual({ text: "ab", list: [1, 2], kept: true, count: 2 });
  merge(target, { list: Array(300_000).fill(3) });
  expect(target.list).toHaveLength(300_002);
});
