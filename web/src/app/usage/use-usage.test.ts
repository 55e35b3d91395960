import { emptyUsage } from "dragoman/core";
import { expect, test } from "vitest";
import { daysSince, firstMoment, listOf } from "./use-usage.js";

test("a period has this many days, today included, in UTC", () => {
  const now = Date.parse("2026-03-01T23:30:00Z");
  const since = firstMoment(now, 3);
  expect(new Date(since).toISOString()).toBe("2026-02-27T00:00:00.000Z");
  expect(daysSince(since, now)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});

test("answers stored in sessions are summed like calls; an unknown price is counted", () => {
  const usage = { ...emptyUsage(), input: 10, output: 2, totalTokens: 12 };
  const rows = [
    { name: "codex", sessions: 1, answers: 3, usage, unknownPrices: true },
    { sessions: 1, answers: 1, usage, unknownPrices: false },
  ];
  expect(listOf(rows)).toMatchObject({
    rows: [
      { name: "codex", calls: 3, unpriced: 3 },
      { name: "", calls: 1, unpriced: 0 },
    ],
    total: { calls: 4, input: 20, output: 4, unpriced: 3 },
  });
});
