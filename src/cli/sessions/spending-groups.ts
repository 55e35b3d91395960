import type { Grouping, SpendingGroup } from "../../runtime/usage/spending-groups.js";
import { format } from "../terminal/table.js";
import { plainLine } from "./plain.js";
import { money } from "./spending.js";

/** Rows of text for `table`, the heads first; numbers are right-aligned. */
export function groupCells(groups: readonly SpendingGroup[], by: Grouping): string[][] {
  const rows = [
    [by.toUpperCase(), "SESSIONS", "ANSWERS", "INPUT", "OUTPUT", "CACHE READ", "CACHE WRITE", "COST"],
    ...groups.map(({ name, sessions, answers, usage, unknownPrices }) => [
      plainLine(name ?? "unknown"),
      ...[sessions, answers, usage.input, usage.output, usage.cacheRead, usage.cacheWrite].map(format),
      money(usage, unknownPrices),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell : cell.padStart(widths[column] ?? 0))),
  );
}
