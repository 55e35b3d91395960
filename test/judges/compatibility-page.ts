import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isObject } from "../../src/core/json/value.js";
import type { Loss } from "../../src/core/types.js";
import type { Verdict } from "./judge.js";
import { reasonFor, SUITE } from "./mcp/expected-failures.js";
import type { McpVerdict } from "./mcp/judge.js";
import type { Program } from "./programs/program.js";
import { programs } from "./programs/registry.js";
import type { SessionVerdict } from "./sessions/judge.js";

const page = fileURLToPath(new URL("../../docs/compatibility.md", import.meta.url));

/** A generated table of the page. */
export interface PageTable {
  name: string;
  head: readonly string[];
  /** The columns that identify a row; the version is none of them. */
  key: readonly number[];
  rows: readonly (readonly string[])[];
}

/** Replaces the tables of docs/compatibility.md, and the settings. */
export function writePage(tables: readonly PageTable[]): void {
  let text = readFileSync(page, "utf8");
  for (const { name, head, rows } of tables) text = withPart(text, name, tableText(head, rows));
  for (const program of programs) text = withPart(text, `settings of ${program.name}`, settingsText(program));
  writeFileSync(page, text);
}

/** How a run differs from the table in docs/compatibility.md, a line each. */
export function changesIn({ name, head, key, rows }: PageTable, text = readFileSync(page, "utf8")): string[] {
  const pinned = new Map(rowsOf(partOf(text, name)).map((row) => [keyOf(row, key), row]));
  return rows.flatMap((row) => {
    const before = pinned.get(keyOf(row, key));
    const title = row.slice(0, 2).join(" ");
    const named = key.slice(1).map((column) => row[column]);
    if (before === undefined) return [`${title}: ${named.join(", ")}: not in the table`];
    return head.flatMap((column, index) =>
      index === VERSION || row[index] === before[index]
        ? []
        : [`${title}: ${named.join(", ")}: ${column} was ${before[index]}, and is ${row[index]}`],
    );
  });
}

const VERSION = 1;

function keyOf(row: readonly string[], key: readonly number[]): string {
  return JSON.stringify(key.map((column) => row[column]));
}

/** The cells of a table, without its head. */
function rowsOf(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.replaceAll("\\|", "|")),
  );
}

/** The text between `<!-- NAME -->` and `<!-- end -->`. */
function partOf(text: string, name: string): string {
  const { from, to } = placeOf(text, name);
  return text.slice(from, to);
}

function withPart(text: string, name: string, part: string): string {
  const { from, to } = placeOf(text, name);
  return `${text.slice(0, from)}\n${part}\n\n${text.slice(to)}`;
}

function placeOf(text: string, name: string): { from: number; to: number } {
  const start = `<!-- ${name} -->\n`;
  const from = text.indexOf(start);
  const to = text.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`docs/compatibility.md has no part "${name}"`);
  return { from: from + start.length, to };
}

/** What the gateway does with each route. */
export function routeTables(verdicts: readonly Verdict[]): PageTable[] {
  const results: PageTable = {
    name: "results",
    head: ["program", "version", "program's API", "model's API", "model", "turns", "result", "losses"],
    key: [0, 2, 3],
    rows: verdicts.map(({ program, version, from, to, model, turns, problems, losses }) => [
      program.title,
      version,
      from,
      from === to ? "the same" : to,
      `\`${model}\``,
      String(turns),
      problems.length === 0 ? "works" : "fails",
      losses.length === 0 ? "none" : String(losses.length),
    ]),
  };
  return [results, lossTable(verdicts)];
}

const directions: Record<SessionVerdict["direction"], string> = {
  reads: "the program writes, we read",
  writes: "we write, the program continues",
};

/** What each program does with sessions, and what its earlier versions do. */
export function sessionTables(verdicts: readonly SessionVerdict[]): PageTable[] {
  const earlier = verdicts.filter(({ isEarlier }) => isEarlier);
  const current = verdicts.filter(({ isEarlier }) => !isEarlier);
  return [
    { ...sessionTable(current), name: "session results", key: [0, 2, 3] },
    { ...sessionTable(earlier), name: "session results of earlier versions", key: [0, 1, 2, 3] },
  ].filter(({ rows }) => rows.length > 0);
}

function sessionTable(verdicts: readonly SessionVerdict[]): Pick<PageTable, "head" | "rows"> {
  const groups = new Map<string, SessionVerdict[]>();
  for (const verdict of verdicts) {
    const { program, version, direction, of } = verdict;
    const group = [program.name, version, direction, of].join();
    groups.set(group, [...(groups.get(group) ?? []), verdict]);
  }
  return {
    head: ["program", "version", "direction", "cases", "result"],
    rows: [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const failed = group.filter(({ problems }) => problems.length > 0);
      const names = group.map((verdict) => verdict.case).join(", ");
      const cases = first.of === "ours" ? names : `a session of ${names}`;
      const result = failed.length === 0 ? "works" : `fails: ${failed.map((one) => one.case).join(", ")}`;
      return [[first.program.title, first.version, directions[first.direction], cases, result]];
    }),
  };
}

/** What the conformance suite finds in our client and server, and why scenarios fail. */
export function mcpTables(verdicts: readonly McpVerdict[]): PageTable[] {
  const results: PageTable = {
    name: "mcp results",
    head: ["part", "suite", "revision", "scenarios passed", "scenarios failed"],
    key: [0, 2],
    rows: verdicts.map(({ side, revision, passed, failed }) => [
      side,
      SUITE.version,
      revision,
      String(passed.length),
      String(failed.length),
    ]),
  };
  const reasons = new Map<string, { side: string; reason: string; scenarios: Set<string> }>();
  for (const { side, failed } of verdicts) {
    for (const scenario of failed) {
      const reason = reasonFor(side, scenario) ?? "not expected";
      const key = `${side} ${reason}`;
      const known = reasons.get(key) ?? { side, reason, scenarios: new Set() };
      reasons.set(key, known);
      known.scenarios.add(scenario);
    }
  }
  return [
    results,
    {
      name: "mcp failures",
      head: ["part", "suite", "why", "scenarios"],
      key: [0, 2],
      rows: [...reasons.values()].map(({ side, reason, scenarios }) => [
        side,
        SUITE.version,
        reason,
        [...scenarios].map((scenario) => `\`${scenario}\``).join(", "),
      ]),
    },
  ];
}

/** Which losses there are, and on which routes. */
function lossTable(verdicts: readonly Verdict[]): PageTable {
  const kinds = new Map<string, { loss: Loss; routes: Map<string, string[]> }>();
  for (const verdict of verdicts) {
    for (const loss of verdict.losses) {
      const known = kinds.get(kindOf(loss)) ?? { loss, routes: new Map() };
      kinds.set(kindOf(loss), known);
      const client = clientName(verdict);
      known.routes.set(client, [...(known.routes.get(client) ?? []), verdict.to]);
    }
  }
  const rows = [...kinds.values()].map(({ loss: { what, why, severity }, routes }) => [
    what,
    severity,
    why,
    [...routes].map(([client, targets]) => `${client} → ${targets.join(", ")}`).join("; "),
  ]);
  return {
    name: "losses",
    head: ["what", "severity", "why", "where"],
    key: [0, 1, 2],
    rows: rows.sort(([a = ""], [b = ""]) => (a === b ? 0 : a < b ? -1 : 1)),
  };
}

/** A program that speaks several APIs is listed with the one that it uses. */
function clientName({ program, from }: Verdict): string {
  return program.apis.length === 1 ? program.title : `${program.title} (${from})`;
}

function kindOf({ what, why, severity }: Loss): string {
  return JSON.stringify([what, why, severity]);
}

function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

/** What a user sets to point a program at the gateway; the judges set the same. */
export function settingsText(program: Program): string {
  const [api = "anthropic"] = program.apis;
  const {
    env = {},
    files = {},
    args = [],
  } = program.connect({
    url: "http://127.0.0.1:18800",
    key: "TOKEN",
    model: "MODEL",
    api,
  });
  const written = Object.entries(files).map(([name, content]) => {
    const language = name.endsWith(".toml") ? "toml" : "json";
    const text = isObject(content) ? JSON.stringify(content, null, 2) : content.trimEnd();
    return `\`~/${name}\`:\n\n\`\`\`${language}\n${text}\n\`\`\``;
  });
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${value}`);
  const command = [program.command, ...args].join(" ");
  return [...written, `\`\`\`sh\n${[...exports, command].join("\n")}\n\`\`\``].join("\n\n");
}
