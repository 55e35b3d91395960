import { type LossSummary, severities } from "../../convert/loss-summary.js";
import { type Paint, painter, wantsColour } from "../terminal/colour.js";
import { reportLine } from "../terminal/report-line.js";
import { format, table } from "../terminal/table.js";

const colours = { dropped: "red", approximated: "yellow", synthesised: "cyan" } as const;

/** `losses: 3 dropped, 0 approximated, 12 synthesised`, or `no losses`. */
export function lossesLine({ total, counts }: LossSummary): string {
  if (total === 0) return "no losses";
  return `losses: ${severities.map((severity) => `${format(counts[severity])} ${severity}`).join(", ")}`;
}

/** The kinds of losses as a table, and how many losses its rows leave out. */
export function lossRows(
  summary: LossSummary,
  limit: number,
  paint: Paint,
): { rows: string[]; more: number } {
  const kinds = summary.kinds(limit);
  const rows = table(
    kinds.map(({ severity, count, what, why }) => [
      `  ${paint(colours[severity], severity)}`,
      `${format(count)} ×`,
      what,
      paint("dim", why),
    ]),
  );
  return { rows, more: kinds.reduce((left, { count }) => left - count, summary.total) };
}

const ROWS = 8;

/** Prints the most important kinds of losses, and how to get them all. */
export function reportLosses(summary: LossSummary, all: string, noColour: boolean | undefined): void {
  const paint = painter(wantsColour(process.stderr, process.env, noColour));
  const { rows, more } = lossRows(summary, ROWS, paint);
  for (const row of rows) reportLine(row);
  if (more > 0) reportLine(`  … and ${format(more)} more; ${all} writes all`);
}
