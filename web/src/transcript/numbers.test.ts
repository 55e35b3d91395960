import { expect, test } from "vitest";
import { byteSize, count, dollars, duration, shortCount } from "./numbers.js";

test("numbers as people read them", () => {
  expect([950, 1_000, 12_345, 999_999, 3_400_000].map(shortCount)).toEqual([
    "950",
    "1k",
    "12.3k",
    "1M",
    "3.4M",
  ]);
  expect([0, 0.0021, 0.00000123, 0.5, 1.5].map(dollars)).toEqual([
    "$0.00",
    "$0.0021",
    "$0.0000012",
    "$0.50",
    "$1.50",
  ]);
  expect([12.3, 4_240, 59_960, 185_000, 3_720_000].map(duration)).toEqual([
    "12 ms",
    "4.2 s",
    "1 min",
    "3 min 5 s",
    "1 h 2 min",
  ]);
  expect([812, 12_000, 3_400_000].map(byteSize)).toEqual(["812 B", "12 kB", "3.4 MB"]);
  expect(count(1234)).toBe("1,234");
});
