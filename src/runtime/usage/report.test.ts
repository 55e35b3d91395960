import { expect, test } from "vitest";
import type { UsageRecord } from "./record.js";
import { type Dimension, UsageReport } from "./report.js";

function record(more: Partial<UsageRecord>): UsageRecord {
  return {
    at: Date.parse("2026-11-16T12:00:00Z"),
    token: "t",
    agent: "main",
    model: "acme/m",
    calls: 1,
    input: 10,
    output: 5,
    cacheRead: 3,
    cacheWrite: 2,
    reasoning: 1,
    cost: 0.1,
    unpriced: 0,
    ...more,
  };
}

const records = [
  record({}),
  record({ model: "acme/large", cost: 0.2, unpriced: 1 }),
  record({ at: Date.parse("2026-11-15T23:59:59Z"), token: "local", agent: "" }),
];

test.each<[Dimension, [string, number][]]>([
  [
    "day",
    [
      ["2026-11-15", 0.1],
      ["2026-11-16", 0.3],
    ],
  ],
  [
    "token",
    [
      ["t", 0.3],
      ["local", 0.1],
    ],
  ],
  [
    "agent",
    [
      ["main", 0.3],
      ["", 0.1],
    ],
  ],
  [
    "model",
    [
      ["acme/m", 0.2],
      ["acme/large", 0.2],
    ],
  ],
])("usage by %s", (by, rows) => {
  const report = new UsageReport(by);
  for (const each of records) report.add(each);
  expect(report.rows().map(({ name, cost }) => [name, cost])).toEqual(rows);
  expect(report.total).toEqual({
    calls: 3,
    input: 30,
    output: 15,
    cacheRead: 9,
    cacheWrite: 6,
    reasoning: 3,
    cost: 0.4,
    unpriced: 1,
  });
});
