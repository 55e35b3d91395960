import { expect, test } from "vitest";
import { ByteBudget } from "./byte-budget.js";

test("all of a budget can be taken, nothing beyond it, and what is refused costs nothing", () => {
  const budget = new ByteBudget(10);
  expect([budget.take(4), budget.take(7), budget.take(6), budget.take(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  budget.release(6);
  expect([budget.take(7), budget.take(6)]).toEqual([false, true]);
});
