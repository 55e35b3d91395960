import { format, table } from "../../src/cli/terminal/table.js";
import type { ErrorCode } from "../../src/core/error.js";

/** How a dialect's runs ended. */
export interface Tally {
  runs: number;
  results: number;
  errors: Partial<Record<ErrorCode, number>>;
  slowest: { ms: number; run: number };
}

export function emptyTally(): Tally {
  return { runs: 0, results: 0, errors: {}, slowest: { ms: 0, run: 0 } };
}

export function count(tally: Tally, end: "result" | ErrorCode): void {
  if (end === "result") tally.results++;
  else tally.errors[end] = (tally.errors[end] ?? 0) + 1;
}

export function addTally(tally: Tally, more: Tally): void {
  tally.runs += more.runs;
  tally.results += more.results;
  if (more.slowest.ms > tally.slowest.ms) tally.slowest = more.slowest;
  for (const [code, times] of errorsOf(more)) tally.errors[code] = (tally.errors[code] ?? 0) + times;
}

/** A row for each dialect, most frequent errors first. */
export function tallyTable(tallies: ReadonlyMap<string, Tally>): string {
  const rows = [...tallies].map(([name, tally]) => [
    name,
    format(tally.runs),
    format(tally.results),
    `${format(Math.round(tally.slowest.ms))} ms (run ${tally.slowest.run})`,
    errorsOf(tally)
      .sort(([, a], [, b]) => b - a)
      .map(([code, times]) => `${code} ${format(times)}`)
      .join(", "),
  ]);
  return table([["dialect", "runs", "results", "slowest", "errors"], ...rows]).join("\n");
}

function errorsOf({ errors }: Tally): [ErrorCode, number][] {
  return Object.entries(errors) as [ErrorCode, number][];
}
