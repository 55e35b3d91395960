import type { Database, JSValue } from "node-sqlite3-wasm";
import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import { sumUsage } from "../../core/message/usage.js";
import { highlight, type SearchTerm } from "./highlight.js";
import { parseQuery } from "./query.js";
import { numberIn, textIn } from "./row.js";
import { separated } from "./searchable.js";
import { snippetOf } from "./snippet.js";
import { spentIn, summaryOf } from "./state.js";
import { searchSegments, type TextHit } from "./text/search.js";
import { openSegment, readSegments } from "./text/segments.js";
import {
  type AgentFilter,
  type Found,
  type Hit,
  HOME_SOURCE,
  type ListOptions,
  type PlaceFilter,
  type SearchFilters,
  type SessionSummary,
  type SourceFilter,
  type Spending,
  type SpendingFilter,
  type Stats,
} from "./types.js";

export const HITS = 20;
/** At most this many matches are ranked, so that a very common word stays fast. */
export const RANKED = 1000;
/** Matches beyond this are not counted, for the same reason. */
export const COUNTED = 10_000;
const NAMED_IN_ERROR = 5;
export const FILE = ".jsonl";

/** The conditions that have a value, as SQL and parameters. */
function where(conditions: readonly (readonly [string, JSValue | undefined])[]) {
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  return { sql: given.map(({ sql }) => ` AND ${sql}`).join(""), values: given.map(({ value }) => value) };
}

function oneOf(agents: readonly string[] | undefined): readonly [string, JSValue | undefined] {
  return ["sessions.agent IN (SELECT value FROM json_each(?))", agents && JSON.stringify(agents)];
}

/** A key is `agent:main:telegram:dm:42`, or `agent:main:telegram@work:dm:42` for an account that is not the default. */
function atPlace({ agent, channel, folder }: PlaceFilter): (readonly [string, JSValue | undefined])[] {
  return [
    ["sessions.agent = ?", agent],
    ["instr(replace(sessions.key, '@', ':'), 'agent:' || sessions.agent || ':' || ? || ':') = 1", channel],
    ["sessions.folder = ?", folder],
  ];
}

/** The home alone by default: only it may be shown to the gateway's clients. */
function inSources({ sources = [HOME_SOURCE] }: SourceFilter): readonly [string, JSValue | undefined] {
  const names = sources === "all" ? undefined : JSON.stringify(sources);
  return ["sessions.source IN (SELECT value FROM json_each(?))", names];
}

/** Hides a foreign session that one of ours continues: the key names ours alone. */
const CURRENT = `NOT (sessions.is_foreign = 1 AND sessions.key IS NOT NULL AND EXISTS (
  SELECT 1 FROM sessions AS own WHERE own.key = sessions.key AND own.is_foreign = 0))`;

export function list(db: Database, options: ListOptions): SessionSummary[] {
  const { agents, except, archived, since, until, parent, before, limit = -1, sort = "active" } = options;
  const { sql, values } = where([
    inSources(options),
    ...atPlace(options),
    oneOf(agents),
    ["agent <> ?", except],
    ["archived = ?", archived],
    ["active >= ?", since],
    ["active <= ?", until],
    ["parent = ?", parent],
    [`(${sort}, n) < (SELECT ${sort}, n FROM sessions WHERE id = ? LIMIT 1)`, before],
  ]);
  const order = `ORDER BY ${sort} DESC, n DESC`;
  const rows = db.all(`SELECT state FROM sessions WHERE ${CURRENT}${sql} ${order} LIMIT ?`, [
    ...values,
    limit,
  ]);
  return rows.map(summaryOf);
}

export function get(db: Database, name: string, filter: SourceFilter): SessionSummary | undefined {
  const { sql, values } = where([inSources(filter)]);
  // A foreign session's id may be the key of ours that continues it; with the suffix it names the foreign file.
  const [id, least] = name.endsWith(FILE) ? [name.slice(0, -FILE.length), 1] : [name, 0];
  const byKey = `SELECT state FROM sessions WHERE key = ?${sql} ORDER BY is_foreign, created DESC, n DESC LIMIT 1`;
  const byId = `SELECT state FROM sessions WHERE id = ? AND is_foreign >= ?${sql} ORDER BY n DESC LIMIT 1`;
  const exact = db.get(byKey, [name, ...values]) ?? db.get(byId, [id, least, ...values]);
  if (exact !== null) return summaryOf(exact);
  if (name === "") return undefined;
  const rows = db.all(
    `SELECT id, state FROM sessions WHERE substr(id, 1, ?) = ? AND ${CURRENT}${sql} ORDER BY id`,
    [name.length, name, ...values],
  );
  const [only] = rows;
  if (rows.length > 1) {
    throw ambiguous(
      name,
      rows.map((row) => textIn(row, "id")),
    );
  }
  return only === undefined ? undefined : summaryOf(only);
}

/** The session in one file of a source. */
export function getAt(db: Database, source: string, path: string): SessionSummary | undefined {
  const row = db.get("SELECT state FROM sessions WHERE source = ? AND path = ?", [source, path]);
  return row === null ? undefined : summaryOf(row);
}

export function ambiguous(name: string, all: readonly string[]): DragomanError {
  const ids = all.slice(0, NAMED_IN_ERROR);
  const more = all.length > ids.length ? ", …" : "";
  const message = `${all.length} sessions begin with ${name}: ${ids.join(", ")}${more}`;
  return new DragomanError("log/ambiguous", message, { hint: "give more of the id" });
}

export function search(db: Database, texts: string, query: string, filters: SearchFilters): Found {
  const { match, wanted, excluded, ignored } = parseQuery(query);
  if (match === undefined) return { hits: [], total: 0, ignored };
  const { agents, except, key, role, since, until, limit = HITS } = filters;
  const { sql, values } = where([
    inSources(filters),
    ...atPlace(filters),
    oneOf(agents),
    ["sessions.agent <> ?", except],
    ["sessions.key = ?", key],
  ]);
  const inSessions = `SELECT n FROM sessions WHERE n IN (SELECT value FROM json_each(?)) AND ${CURRENT}${sql}`;
  const { hits, total } = searchSegments(
    readSegments(db).map((row) => () => openSegment(texts, row)),
    { wanted, excluded },
    {
      ...defined({ role, since, until }),
      sessionsOf: (numbers) =>
        new Set(db.all(inSessions, [JSON.stringify(numbers), ...values]).map((row) => numberIn(row, "n"))),
      limit,
      ranked: Math.max(RANKED, limit),
      counted: COUNTED,
    },
  );
  return { hits: hits.flatMap((hit) => hitOf(db, hit, wanted)), total, ignored };
}

function hitOf(db: Database, { session, text, ...hit }: TextHit, wanted: readonly SearchTerm[]): Hit[] {
  const row = db.get("SELECT id, source, agent FROM sessions WHERE n = ?", session);
  if (row === null) return [];
  return [
    {
      session: textIn(row, "id"),
      source: textIn(row, "source"),
      agent: textIn(row, "agent"),
      ...hit,
      snippet: snippetOf(highlight(separated(text), wanted)),
    },
  ];
}

export function stats(db: Database, filter: AgentFilter): Stats {
  return statsOf(list(db, filter));
}

export function statsOf(all: readonly SessionSummary[]): Stats {
  const sum = (value: (session: SessionSummary) => number) =>
    all.reduce((total, session) => total + value(session), 0);
  return {
    sessions: all.length,
    archived: sum(({ archived }) => Number(archived)),
    counts: {
      user: sum(({ counts }) => counts.user),
      assistant: sum(({ counts }) => counts.assistant),
      toolResult: sum(({ counts }) => counts.toolResult),
      lines: sum(({ counts }) => counts.lines),
      bad: sum(({ counts }) => counts.bad),
    },
    usage: sumUsage(all.map(({ usage }) => usage)),
    unknownPrices: all.some(({ unknownPrices }) => unknownPrices),
  };
}

export function spending(db: Database, { session, ...filter }: SpendingFilter): Spending[] {
  const { sql, values } = where([inSources(filter), ["sessions.id = ?", session]]);
  const rows = db.all(
    `SELECT state, spent FROM sessions WHERE spent <> '[]' AND ${CURRENT}${sql} ORDER BY n`,
    values,
  );
  return rows.flatMap((row) => {
    const { id, source, folder } = summaryOf(row);
    const parts = spentIn(row).toSorted((one, other) =>
      `${one.day} ${one.model}` < `${other.day} ${other.model}` ? -1 : 1,
    );
    return parts.map(({ day, ...part }) => ({
      session: id,
      source,
      ...defined({ folder, day: day === "" ? undefined : day }),
      ...part,
    }));
  });
}
