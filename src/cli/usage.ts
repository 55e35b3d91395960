import { TokenStore } from "../gateway/auth/token-store.js";
import { homeFolder } from "../runtime/config.js";
import { cellsAt, linesAt } from "../runtime/store-address.js";
import { dayOf, type UsageCounts } from "../runtime/usage/record.js";
import { UsageReport } from "../runtime/usage/report.js";
import { readUsage } from "../runtime/usage/usage-lines.js";
import { usageError } from "./arguments.js";
import type { usageCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { plainLine } from "./sessions/plain.js";
import { writeResult } from "./sessions/result.js";
import { money } from "./sessions/spending.js";
import { reportLine } from "./terminal/report-line.js";
import { format, listing } from "./terminal/table.js";

const DAY_MS = 86_400_000;

export async function run({ values }: Arguments<typeof usageCommand>): Promise<number> {
  const { by, json } = values;
  const home = homeFolder(process.env, values.home);
  const now = Date.now();
  const first =
    values.since === undefined ? `${dayOf(now).slice(0, 7)}-01` : dayIn("--since", values.since, now);
  const last = values.until === undefined ? dayOf(now) : dayIn("--until", values.until, now);
  if (last < first) throw usageError(`--until ${last} is before --since ${first}`);

  const report = new UsageReport(by);
  const period = { since: startOf(first), until: startOf(last) + DAY_MS };
  await readUsage(await linesAt(home, reportLine), period, {
    apply: (record) => report.add(record),
    onNote: reportLine,
  });
  const rows = report.rows();
  const { total } = report;
  const shown = total.calls === 0 ? "" : (await tableOf(by, rows, total, home)).join("\n");
  await writeResult(json, shown, { by, since: first, until: last, rows, total });
  if (json === true) return 0;
  if (total.calls === 0) reportLine(`no calls from ${first} to ${last} (UTC)`);
  if (total.unpriced > 0) {
    reportLine(`the cost of ${format(total.unpriced)} of ${format(total.calls)} calls is not fully known`);
  }
  return 0;
}

async function tableOf(
  by: string,
  rows: readonly (UsageCounts & { name: string })[],
  total: UsageCounts,
  home: string,
): Promise<string[]> {
  const tokens = by === "token" ? await new TokenStore(cellsAt(home)).list() : [];
  const names = new Map(tokens.map(({ id, name }) => [id, `${id} (${name})`]));
  const heads = [
    by.toUpperCase(),
    "CALLS",
    "INPUT",
    "OUTPUT",
    "CACHE READ",
    "CACHE WRITE",
    "REASONING",
    "COST",
  ];
  const cells = [
    heads,
    ...rows.map((row) => [plainLine(names.get(row.name) ?? (row.name || "-")), ...countCells(row)]),
    ["total", ...countCells(total)],
  ];
  return listing(
    cells.map((row) => row.map((cell, column) => (column === 0 ? cell : rightAligned(cells, cell, column)))),
  );
}

function countCells(counts: UsageCounts): string[] {
  const { calls, input, output, cacheRead, cacheWrite, reasoning, cost, unpriced } = counts;
  return [
    ...[calls, input, output, cacheRead, cacheWrite, reasoning].map(format),
    money({ cost: { total: cost } }, unpriced > 0),
  ];
}

function rightAligned(rows: readonly (readonly string[])[], cell: string, column: number): string {
  return cell.padStart(Math.max(...rows.map((row) => row[column]?.length ?? 0)));
}

/** `2026-11-16`; `7d` is seven days ago. */
function dayIn(option: string, text: string, now: number): string {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  if (days !== undefined) return dayOf(now - Number(days) * DAY_MS);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOf(text));
  if (isDay && dayOf(startOf(text)) === text) return text;
  throw usageError(`${option} must be a day such as 2026-11-01, or days ago such as 7d, not "${text}"`);
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
