import type { SessionSummary } from "../../log/catalogue/types.js";
import type { Paint } from "../colour.js";
import { format, table } from "../table.js";
import { plainLine } from "./plain.js";
import { money } from "./spending.js";
import { ago } from "./when.js";

export interface RowOptions {
  now: number;
  /** Of the terminal; undefined where there is none. */
  columns: number | undefined;
  paint: Paint;
}

const SHORTEST_ID = 10;
const TITLE_COLUMNS = { least: 16, most: 60, unknown: 48 };

interface Placed {
  session: SessionSummary;
  depth: number;
}

/**
 *     ID          AGENT  TITLE                MESSAGES   COST  LAST        WHERE
 *     01KF0QJ2M8  main   What greet.ts does          4  $0.01  2026-01-15  telegram:dm:123
 */
export function sessionRows(
  sessions: readonly SessionSummary[],
  { now, columns, paint }: RowOptions,
): string[] {
  const idLength = shortest(sessions.map(({ id }) => id));
  const placed = nested(sessions);
  const cells = placed.map(({ session, depth }) => ({
    before: [session.id.slice(0, idLength), session.agent],
    title: `${"  ".repeat(Math.max(depth - 1, 0))}${depth > 0 ? "└ " : ""}${session.title ?? "(nothing said yet)"}`,
    after: [
      format(session.counts.user + session.counts.assistant + session.counts.toolResult),
      money(session.usage, session.unknownPrices),
      session.active === undefined ? "–" : ago(session.active, now),
      whereOf(session),
    ].map((cell) => plainLine(cell)),
  }));
  const numbers = [0, 1].map((column) =>
    Math.max(...cells.map(({ after }) => after[column]?.length ?? 0), heads[column]?.length ?? 0),
  );
  const aligned = (after: readonly string[]) =>
    after.map((cell, column) => cell.padStart(numbers[column] ?? 0));
  const others = table(cells.map(({ before, after }) => [...before, ...aligned(after)]));
  const taken = Math.max(...others.map((row) => row.length)) + 2;
  const room = columns === undefined ? TITLE_COLUMNS.unknown : columns - taken;
  const titleColumns = Math.min(Math.max(room, TITLE_COLUMNS.least), TITLE_COLUMNS.most);
  return table([
    ["ID", "AGENT", "TITLE", ...aligned(heads)].map((head) => paint("dim", head)),
    ...cells.map(({ before: [id = "", agent = ""], title, after }) => [
      paint("cyan", id),
      plainLine(agent),
      indented(title, titleColumns),
      ...aligned(after),
    ]),
  ]);
}

const heads = ["MESSAGES", "COST", "LAST", "WHERE"];

function indented(title: string, columns: number): string {
  const [indent = ""] = /^ */.exec(title) ?? [];
  return indent + plainLine(title, columns - indent.length);
}

/** As many characters as tell the ids apart, and not fewer than a person recognises. */
export function shortest(ids: readonly string[]): number {
  let length = SHORTEST_ID;
  const longest = Math.max(SHORTEST_ID, ...ids.map((id) => id.length));
  while (length < longest && new Set(ids.map((id) => id.slice(0, length))).size < new Set(ids).size) length++;
  return length;
}

/** Children below their parents, where these are in the list. */
function nested(sessions: readonly SessionSummary[]): Placed[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const parentOf = ({ id, parent }: SessionSummary) =>
    parent !== undefined && parent.session !== id && ids.has(parent.session) ? parent.session : undefined;
  const placed: Placed[] = [];
  const seen = new Set<string>();
  const place = (session: SessionSummary, depth: number) => {
    if (seen.has(session.path)) return;
    seen.add(session.path);
    placed.push({ session, depth });
    for (const child of sessions) if (parentOf(child) === session.id) place(child, depth + 1);
  };
  for (const session of sessions) if (parentOf(session) === undefined) place(session, 0);
  // Parents that lead in a circle.
  for (const session of sessions) place(session, 0);
  return placed;
}

/** Where the conversation takes place, and what is special about it. */
function whereOf({ agent, key, foreign, archived, problem, counts }: SessionSummary): string {
  const prefix = `agent:${agent}:`;
  const place = key?.startsWith(prefix) === true ? key.slice(prefix.length) : key;
  return [
    ...(place === undefined ? [] : [place]),
    ...(foreign ? ["(foreign)"] : []),
    ...(archived ? ["(archived)"] : []),
    ...(problem !== undefined || counts.bad > 0 ? ["(damaged)"] : []),
  ].join(" ");
}
