import { expect, test } from "vitest";
import { idSource, newId } from "./ids.js";

test("an id is a ULID", () => expect(newId()).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/));

test("100,000 ids in a row ascend strictly", () => {
  const ids = Array.from({ length: 100_000 }, newId);
  expect(new Set(ids).size).toBe(100_000);
  expect([...ids].sort()).toEqual(ids);
});

test("ids ascend when the clock steps back, with room after each", () => {
  const times = [1_740_000_000_000, 1_740_000_000_000, 1_639_999_999_000, 1_740_000_000_001];
  const next = idSource(
    () => times.shift() ?? 0,
    () => 0.5,
  );
  const ids = [next(), next(), next(), next()];
  expect(ids).toEqual([
    "01JMG19Y00GGGGGGGGGGGGG000",
    "01JMG19Y00GGGGGGGGGGGGH000",
    "01JMG19Y00GGGGGGGGGGGGJ000",
    "01JMG19Y01GGGGGGGGGGGGG000",
  ]);
});
