import { expect, test } from "vitest";
import type { Usage } from "../../core/types.js";
import { money, tokens } from "./spending.js";

function usage(total: number, cached = 0): Usage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total };
  return { input: 1200, output: 34, cacheRead: cached, cacheWrite: cached, totalTokens: 1234, cost };
}

test("what is not known is not told as if it were", () => {
  expect([0, 0.00123, 0.0999, 12.345].map((total) => money(usage(total), false))).toEqual([
    "$0",
    "$0.0012",
    "$0.0999",
    "$12.35",
  ]);
  expect(money(usage(0), true)).toBe("?");
  expect(money(usage(0.5), true)).toBe("≥ $0.50");
});

test("the cache is named where it was used", () => {
  expect(tokens(usage(0))).toBe("1,200 in, 34 out");
  expect(tokens(usage(0, 5))).toBe("1,200 in, 34 out, 5 from the cache, 5 to the cache");
});
