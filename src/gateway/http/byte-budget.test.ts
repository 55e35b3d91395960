import { expect, test } from "vitest";
import { ByteBudget } from "./byte-budget.js";

test("all of a budget can be taken, nothing beyond it, and what is refused costs nothing", () => {
  const budget = new ByteBudget(10);
  expect([budget.reserve(4), budget.reserve(7), budget.reserve(6), budget.reserve(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  budget.release(6);
  expect([budget.reserve(7), budget.reserve(6)]).toEqual([false, true]);
});
