import { HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import type { Paint } from "../terminal/colour.js";
import { format, listing, table } from "../terminal/table.js";
import { cut, plainLine } from "./plain.js";
import { money } from "./spending.js";
import { ago } from "./when.js";

export interface RowOptions {
  now: number;
  /** Of the terminal; undefined without one. */
  columns: number | undefined;
  /** Show sources, models and tokens. */
  sources?: boolean;
  paint: Paint;
}

const SHORTEST_ID = 10;
const TITLE_COLUMNS = { least: 16, most: 60, unknown: 48 };
/** The place is not cut shorter. */
const WHERE_COLUMNS = 8;

interface Placed {
  session: SessionSummary;
  depth: number;
}

/** The columns beside the title; numbers are right-aligned. */
const COLUMNS: { own: (keyof Row)[]; sources: (keyof Row)[]; numbers: ReadonlySet<keyof Row> } = {
  own: ["id", "agent", "messages", "cost", "last", "where"],
  sources: ["id", "source", "model", "messages", "tokens", "cost", "last", "where"],
  numbers: new Set(["messages", "tokens", "cost"]),
};

/**
 *     ID          AGENT  TITLE                MESSAGES   COST  LAST        WHERE
 *     01KF0QJ2M8  main   What greet.ts does          4  $0.01  2026-01-15  telegram:dm:123
 *
 *     ID          SOURCE       TITLE         MODEL              MESSAGES  TOKENS   COST  LAST        WHERE
 *     3f2a9c1e-0  claude-code  Fix the test  claude-sonnet-4-5        12  48,210  $0.31  2026-01-15  /home/ann/app
 */
export function sessionRows(
  sessions: readonly SessionSummary[],
  { now, columns, sources = false, paint }: RowOptions,
): string[] {
  const idLength = shortest(sessions.map(({ id }) => id));
  const rows = [heads, ...nested(sessions).map(({ session, depth }) => rowOf(session, depth, idLength, now))];
  const names = sources ? COLUMNS.sources : COLUMNS.own;
  const widths = new Map(names.map((name) => [name, Math.max(...rows.map((row) => row[name].length))]));
  const aligned = (row: Row, name: keyof Row) =>
    COLUMNS.numbers.has(name) ? row[name].padStart(widths.get(name) ?? 0) : row[name];
  const taken =
    Math.max(
      ...table(rows.map((row) => names.map((name) => aligned(row, name)))).map((line) => line.length),
    ) + 2;
  const room = columns === undefined ? TITLE_COLUMNS.unknown : columns - taken;
  const titleColumns = Math.min(Math.max(room, TITLE_COLUMNS.least), TITLE_COLUMNS.most);
  // On a narrow terminal the place gives way to the title.
  const whereColumns = Math.max((widths.get("where") ?? 0) - Math.max(titleColumns - room, 0), WHERE_COLUMNS);
  const painted = (cells: readonly string[], index: number) =>
    cells.map((cell, at) => (index === 0 ? paint("dim", cell) : at === 0 ? paint("cyan", cell) : cell));
  const inTable = rows.map((row, index) => {
    const shown = { ...row, where: columns === undefined ? row.where : cut(row.where, whereColumns) };
    const [id = "", origin = "", ...after] = names.map((name) => aligned(shown, name));
    const title = row.indent + plainLine(row.title, titleColumns - row.indent.length);
    return painted([id, origin, title, ...after], index);
  });
  const whole = rows.map((row, index) => {
    const [id = "", origin = "", ...after] = names.map((name) => row[name]);
    return painted([id, origin, row.indent + plainLine(row.title), ...after], index);
  });
  return listing(inTable, columns, whole);
}

interface Row {
  id: string;
  agent: string;
  source: string;
  indent: string;
  title: string;
  model: string;
  messages: string;
  tokens: string;
  cost: string;
  last: string;
  where: string;
}

const heads: Row = {
  id: "ID",
  agent: "AGENT",
  source: "SOURCE",
  indent: "",
  title: "TITLE",
  model: "MODEL",
  messages: "MESSAGES",
  tokens: "TOKENS",
  cost: "COST",
  last: "LAST",
  where: "WHERE",
};

function rowOf(session: SessionSummary, depth: number, idLength: number, now: number): Row {
  const { id, agent, source, counts, usage, unknownPrices, active, problem } = session;
  const silent = problem === undefined ? "(no messages yet)" : "(unreadable)";
  return {
    id: plainLine(id.slice(0, idLength)),
    agent: plainLine(agent),
    source: plainLine(source),
    indent: depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `,
    title: session.title ?? silent,
    model: modelOf(session),
    messages: format(counts.user + counts.assistant + counts.toolResult),
    tokens: format(usage.totalTokens),
    cost: money(usage, unknownPrices),
    last: active === undefined ? "–" : ago(active, now),
    where: plainLine(whereOf(session)),
  };
}

/** The shortest length that tells the ids apart, at least `SHORTEST_ID`. */
export function shortest(ids: readonly string[]): number {
  let length = SHORTEST_ID;
  const longest = Math.max(SHORTEST_ID, ...ids.map((id) => id.length));
  while (length < longest && new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size) length++;
  return length;
}

/** Children below their parents, if those are in the list. */
function nested(sessions: readonly SessionSummary[]): Placed[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const children = new Map<string, SessionSummary[]>();
  const first: SessionSummary[] = [];
  for (const session of sessions) {
    const parent = session.parent?.session;
    if (parent === undefined || !ids.has(parent)) first.push(session);
    else children.set(parent, [...(children.get(parent) ?? []), session]);
  }
  const placed: Placed[] = [];
  const seen = new Set<SessionSummary>();
  const place = (session: SessionSummary, depth: number) => {
    if (seen.has(session)) return;
    seen.add(session);
    placed.push({ session, depth });
    for (const child of children.get(session.id) ?? []) place(child, depth + 1);
  };
  // After the roots, only sessions with circular parents are left.
  for (const session of [...first, ...sessions]) place(session, 0);
  return placed;
}

/** The first model, without its provider, and the number of others. */
function modelOf({ models: [first, ...others] }: SessionSummary): string {
  if (first === undefined) return "–";
  const name = plainLine(first.slice(first.indexOf("/") + 1));
  return others.length === 0 ? name : `${name} +${others.length}`;
}

/** Where the conversation takes place, and its flags. */
function whereOf(session: SessionSummary): string {
  const { agent, key, folder, source, foreign, archived, problem, counts } = session;
  const prefix = `agent:${agent}:`;
  const place = key?.startsWith(prefix) === true ? key.slice(prefix.length) : (key ?? folder);
  return [
    // A chat in the terminal has a generated name, which is too long for a column and means nothing to a reader.
    ...(place === undefined ? [] : [place.replace(/^cli:dm:[0-9a-z]{26}$/, "cli")]),
    ...(foreign && source === HOME_SOURCE ? ["(foreign)"] : []),
    ...(archived ? ["(archived)"] : []),
    ...(problem !== undefined || counts.bad > 0 ? ["(damaged)"] : []),
  ].join(" ");
}
