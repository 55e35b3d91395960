import { expect, test } from "vitest";
import { LossSummary } from "../../convert/loss-summary.js";
import type { Loss } from "../../core/types.js";
import { painter } from "../terminal/colour.js";
import { lossesLine, lossRows } from "./losses.js";

const plain = painter(false);

function summaryOf(losses: Omit<Loss, "at">[]): LossSummary {
  const summary = new LossSummary();
  for (const loss of losses) summary.add({ at: "/0", ...loss });
  return summary;
}

test("losses of one kind are one row, without their positions and values", () => {
  const why = "X has no place for it";
  const summary = summaryOf([
    { severity: "synthesised", what: "usage", why: "X does not say it" },
    { severity: "dropped", what: 'content.0.thinking ("a (b) 1.5")', why },
    { severity: "dropped", what: 'content.12.thinking ("b\nc")', why },
    { severity: "dropped", what: "usage.cost (0)", why },
  ]);
  expect(lossesLine(summary)).toBe("losses: 3 dropped, 0 approximated, 1 synthesised");
  expect(lossRows(summary, 8, plain)).toEqual({
    rows: [
      "  dropped      2 ×  content.*.thinking  X has no place for it",
      "  dropped      1 ×  usage.cost (0)      X has no place for it",
      "  synthesised  1 ×  usage               X does not say it",
    ],
    more: 0,
  });
});

test("what the rows leave out is counted", () => {
  const losses = Array.from({ length: 5000 }, (_, index) => ({
    severity: "dropped" as const,
    what: `field-${index}`,
    why: "unknown",
  }));
  const { rows, more } = lossRows(summaryOf(losses), 2, plain);
  expect(rows).toEqual(["  dropped  1 ×  field-0  unknown", "  dropped  1 ×  field-1  unknown"]);
  expect(more).toBe(4998);
});

test("no losses", () => {
  const summary = summaryOf([]);
  expect(lossesLine(summary)).toBe("no losses");
  expect(summary.total).toBe(0);
  expect(lossRows(summary, 8, plain)).toEqual({ rows: [], more: 0 });
});

test("the first losses of each kind are kept", () => {
  const summary = new LossSummary(2);
  for (const at of ["/0", "/1", "/2"])
    summary.add({ at, severity: "dropped", what: `usage (${at})`, why: "x" });
  expect(summary.groups(1)).toEqual([
    {
      severity: "dropped",
      what: "usage",
      why: "x",
      count: 3,
      losses: [
        { at: "/0", severity: "dropped", what: "usage (/0)", why: "x" },
        { at: "/1", severity: "dropped", what: "usage (/1)", why: "x" },
      ],
    },
  ]);
});
