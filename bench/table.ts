import { readFileSync } from "node:fs";
import { BEFORE, type Figure, type Row } from "./support/case.js";
import { aimOf, isMet, number } from "./support/table.js";

// Prints the most important figures with their aims: `npx tsx bench/table.ts FIGURES`, the output of `--json`.

interface Wanted {
  what: string;
  case: string;
  /** Of the labels; each row that matches is a line. */
  rows: RegExp;
  column: string;
}

const wanted: Wanted[] = [
  { what: "provider stream → events, × floor", case: "providers", rows: / {2}dragoman$/, column: "× floor" },
  { what: "first token, ms", case: "gateway-first-token", rows: /stored$/, column: "median ms" },
  { what: "channel message in → out, ms", case: "channel-latency", rows: /desk$/, column: "median ms" },
  {
    what: "start to listening, ms",
    case: "gateway-start",
    rows: /^dragoman serve$/,
    column: "ms to listening",
  },
  { what: "idle memory, MB", case: "gateway-start", rows: /^dragoman serve$/, column: "idle MB" },
  { what: "CPU ms over Node", case: "start-up", rows: /^import "dragoman"$/, column: "CPU ms over node" },
  { what: "durable append, speed of floor", case: "log-append", rows: /dragoman$/, column: "speed of floor" },
  {
    what: "p99 age of a word, ms",
    case: "gateway-load",
    rows: /^200.*rpc$/,
    column: "paced: 99th of 100 ms",
  },
  { what: "memory per idle client, KB", case: "gateway-load", rows: /rpc$/, column: "KB per idle client" },
  { what: "list, CPU ms", case: "log-search", rows: /^20,000 sessions/, column: "CPU ms" },
  { what: "index, × reading and parsing", case: "log-search", rows: /^build the index$/, column: "× floor" },
  {
    what: "a turn's cost of 5,000 messages, × floor",
    case: "long-history",
    rows: /whole/,
    column: "history, × floor",
  },
  {
    what: "growth at full speed, MB",
    case: "full-speed",
    rows: /client$/,
    column: "MB of growth in the last two thirds",
  },
  {
    what: "convert, speed of the bare loop",
    case: "convert",
    rows: /convertStream$|command$/,
    column: "speed of floor",
  },
  { what: "pass-through, added ms", case: "pass-through", rows: /short answer, [^,]*$/, column: "added ms" },
  { what: "pass-through, × bare proxy", case: "pass-through", rows: /1 MB, [^,]*$/, column: "× floor" },
];

const [, , path = ""] = process.argv;
const results: Record<string, { rows: Row[] }> = JSON.parse(readFileSync(path, "utf8"));

function* linesOf({ what, case: name, rows: matching, column }: Wanted): Generator<string[]> {
  const rows = results[name]?.rows ?? [];
  const found = rows.filter(({ label }) => matching.test(label) && !label.endsWith(BEFORE));
  if (found.length === 0) yield [what, "", "not measured", "", ""];
  for (const { label, figures } of found) {
    const before = rows.find((row) => row.label === `${label}${BEFORE}`)?.figures[column];
    const now = figures[column];
    if (now === undefined) continue;
    const met = aimOf(now) === "" ? "" : isMet(now) ? "yes" : "no";
    yield [`${what}: ${label.replaceAll(/ +/g, " ")}`, shown(before), shown(now), aimOf(now), met];
  }
}

function shown(figure: Figure | undefined): string {
  if (figure === undefined) return "";
  return number(typeof figure === "number" ? figure : figure.value);
}

const lines = [
  ["what", "before", "now", "aim", "met"],
  ["---", "---", "---", "---", "---"],
  ...wanted.flatMap((one) => [...linesOf(one)]),
  ["`npm test`", "", "by its own command", "", ""],
  ["installed package: `npm pack`, `npm install`, `du -sm`", "", "by its own command", "≤ 20 MB", ""],
];
process.stdout.write(`${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`);
