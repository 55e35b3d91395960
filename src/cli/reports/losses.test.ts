import { expect, test } from "vitest";
import type { Loss } from "../../core/types.js";
import { painter } from "../terminal/colour.js";
import { LossSummary } from "./losses.js";

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
  expect(summary.line()).toBe("losses: 3 dropped, 0 approximated, 1 synthesised");
  expect(summary.rows(8, plain)).toEqual({
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
  const { rows, more } = summaryOf(losses).rows(2, plain);
  expect(rows).toEqual(["  dropped  1 ×  field-0  unknown", "  dropped  1 ×  field-1  unknown"]);
  expect(more).toBe(4998);
});

test("no losses", () => {
  const summary = summaryOf([]);
  expect(summary.line()).toBe("no losses");
  expect(summary.total).toBe(0);
  expect(summary.rows(8, plain)).toEqual({ rows: [], more: 0 });
});
