import { expect, test } from "vitest";
import { LatestMap } from "./latest-map.js";

test("the latest entries are kept, and older ones are forgotten", () => {
  const map = new LatestMap<number>(3);
  for (let index = 0; index < 10; index++) map.set(`k${index}`, index);
  expect(Array.from({ length: 10 }, (_, index) => map.get(`k${index}`))).toEqual([
    ...Array(6).fill(undefined),
    6,
    7,
    8,
    9,
  ]);
});

test("a key that is set again has its latest value", () => {
  const map = new LatestMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([3, 2, undefined]);
});
