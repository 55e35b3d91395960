import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import type { Spending } from "../../log/catalogue/types.js";
import { groupSpending } from "../../runtime/usage/spending-groups.js";
import { groupCells } from "./spending-groups.js";

function spent(more: Partial<Spending>): Spending {
  const usage = { ...emptyUsage(), input: 10, totalTokens: 10 };
  const where = { session: "s1", source: "claude-code", model: "anthropic/claude-sonnet-4-5" };
  return { ...where, answers: 1, usage, unknownPrices: false, ...more };
}

const big = { ...emptyUsage(), input: 1000, output: 5, totalTokens: 1005 };
const spending = [
  spent({ day: "2026-01-16", folder: "/a" }),
  spent({ day: "2026-01-15", folder: "/a", answers: 2 }),
  spent({ session: "s2", day: "2026-01-15", folder: "/b", usage: big, unknownPrices: true }),
  spent({ session: "s2", source: "pi", model: "openai/gpt-5" }),
];

function names(by: Parameters<typeof groupSpending>[1]): [string | undefined, number, number][] {
  return groupSpending(spending, by).map(({ name, sessions, answers }) => [name, sessions, answers]);
}

test("days are in order; other groups by tokens; the same id in two sources is two sessions", () => {
  expect(names("day")).toEqual([
    [undefined, 1, 1],
    ["2026-01-15", 2, 3],
    ["2026-01-16", 1, 1],
  ]);
  expect(names("project")).toEqual([
    ["/b", 1, 1],
    ["/a", 1, 3],
    [undefined, 1, 1],
  ]);
  expect(names("source")).toEqual([
    ["claude-code", 2, 4],
    ["pi", 1, 1],
  ]);
  expect(names("model")).toEqual([
    ["anthropic/claude-sonnet-4-5", 2, 4],
    ["openai/gpt-5", 1, 1],
  ]);
});

test("cells are aligned, and an unknown name or price is marked", () => {
  expect(groupCells(groupSpending(spending, "project"), "project")).toEqual([
    ["PROJECT", "SESSIONS", "ANSWERS", "INPUT", "OUTPUT", "CACHE READ", "CACHE WRITE", "COST"],
    ["/b", "       1", "      1", "1,000", "     5", "         0", "          0", "   ?"],
    ["/a", "       1", "      3", "   20", "     0", "         0", "          0", "  $0"],
    ["unknown", "       1", "      1", "   10", "     0", "         0", "          0", "  $0"],
  ]);
});
