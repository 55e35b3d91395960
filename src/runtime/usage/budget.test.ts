import { expect, test } from "vitest";
import { budgetText, dollarText, parseBudget, resetOf } from "./budget.js";

test.each([
  ["5/day", { dollars: 5, per: "day" }],
  ["$2.50/month", { dollars: 2.5, per: "month" }],
  ["0/day", undefined],
  ["5", undefined],
  ["5/week", undefined],
  ["-5/day", undefined],
  ["1e3/day", undefined],
])("the budget %s", (text, budget) => {
  expect(parseBudget(text)).toEqual(budget);
});

test("budgets and dollars as text", () => {
  expect(budgetText({ dollars: 2.5, per: "month" })).toBe("$2.5/month");
  expect([0, 5, 0.1, 0.0000012, 1234.5].map(dollarText)).toEqual(["0", "5", "0.1", "0.0000012", "1234.5"]);
});

test("a day and a month end in UTC, also at the end of a year", () => {
  const time = Date.parse("2026-12-31T23:59:59Z");
  expect(new Date(resetOf(time, "day")).toISOString()).toBe("2027-01-01T00:00:00.000Z");
  expect(new Date(resetOf(time, "month")).toISOString()).toBe("2027-01-01T00:00:00.000Z");
  expect(new Date(resetOf(Date.parse("2028-02-28T00:00:00Z"), "day")).toISOString()).toBe(
    "2028-02-29T00:00:00.000Z",
  );
});
