import type { Database, JSValue, QueryResult } from "node-sqlite3-wasm";
import { DragomanError } from "../../core/error.js";
import { sumUsage } from "../../core/message/usage.js";
import { highlight, type SearchTerm } from "./highlight.js";
import { parseQuery } from "./query.js";
import { DamagedRow, numberIn, textIn, textOrNone, usageIn } from "./row.js";
import { snippetOf } from "./snippet.js";
import { summaryOf } from "./state.js";
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
const COUNTED = 10_000;
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
    ["parent_session = ?", parent],
    [`(${sort}, n) < (SELECT ${sort}, n FROM sessions WHERE id = ? LIMIT 1)`, before],
  ]);
  const order = `ORDER BY ${sort} DESC, n DESC`;
  const rows = db.all(`SELECT * FROM sessions WHERE ${CURRENT}${sql} ${order} LIMIT ?`, [...values, limit]);
  return rows.map(summaryOf);
}

export function get(db: Database, name: string, filter: SourceFilter): SessionSummary | undefined {
  const { sql, values } = where([inSources(filter)]);
  // A foreign session's id may be the key of ours that continues it; with the suffix it names the foreign file.
  const [id, least] = name.endsWith(FILE) ? [name.slice(0, -FILE.length), 1] : [name, 0];
  const byKey = `SELECT * FROM sessions WHERE key = ?${sql} ORDER BY is_foreign, created DESC, n DESC LIMIT 1`;
  const byId = `SELECT * FROM sessions WHERE id = ? AND is_foreign >= ?${sql} ORDER BY n DESC LIMIT 1`;
  const exact = db.get(byKey, [name, ...values]) ?? db.get(byId, [id, least, ...values]);
  if (exact !== null) return summaryOf(exact);
  if (name === "") return undefined;
  const rows = db.all(`SELECT * FROM sessions WHERE substr(id, 1, ?) = ? AND ${CURRENT}${sql} ORDER BY id`, [
    name.length,
    name,
    ...values,
  ]);
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
  const row = db.get("SELECT * FROM sessions WHERE source = ? AND path = ?", [source, path]);
  return row === null ? undefined : summaryOf(row);
}

export function ambiguous(name: string, all: readonly string[]): DragomanError {
  const ids = all.slice(0, NAMED_IN_ERROR);
  const more = all.length > ids.length ? ", …" : "";
  const message = `${all.length} sessions begin with ${name}: ${ids.join(", ")}${more}`;
  return new DragomanError("log/ambiguous", message, { hint: "give more of the id" });
}

export function search(db: Database, query: string, filters: SearchFilters): Found {
  const { match, wanted, ignored } = parseQuery(query);
  if (match === undefined) return { hits: [], total: 0, ignored };
  const { agents, except, key, role, since, until, limit = HITS } = filters;
  const { sql, values } = where([
    inSources(filters),
    ...atPlace(filters),
    oneOf(agents),
    ["sessions.agent <> ?", except],
    ["sessions.key = ?", key],
    ["messages.role = ?", role],
    ["messages.timestamp >= ?", since],
    ["messages.timestamp <= ?", until],
  ]);
  const matching = `FROM said CROSS JOIN messages ON messages.n = said.rowid CROSS JOIN sessions ON sessions.n = messages.session
      WHERE said MATCH ? AND ${CURRENT}${sql}`;
  const rows = db.all(
    `WITH latest AS (
      SELECT said.rowid AS n, bm25(said) AS score ${matching} ORDER BY said.rowid DESC LIMIT ?
    ), best AS (SELECT n, score FROM latest ORDER BY score, n DESC LIMIT ?)
    SELECT sessions.id AS session, sessions.source AS source, sessions.agent AS agent, messages.id AS message, messages.position AS position,
      messages.role AS role, messages.timestamp AS timestamp, said.text AS text
    FROM best JOIN messages ON messages.n = best.n JOIN sessions ON sessions.n = messages.session
      JOIN said ON said.rowid = best.n
    ORDER BY best.score, best.n DESC`,
    [match, ...values, Math.max(RANKED, limit), limit],
  );
  const total =
    rows.length < limit
      ? rows.length
      : numberIn(
          db.get(`SELECT count(*) AS total FROM (SELECT 1 ${matching} LIMIT ?)`, [
            match,
            ...values,
            COUNTED,
          ]) ?? {},
          "total",
        );
  const more = total === COUNTED ? { more: true as const } : {};
  return { hits: rows.map((row) => hitOf(row, wanted)), total, ...more, ignored };
}

function hitOf(row: QueryResult, wanted: readonly SearchTerm[]): Hit {
  const message = textOrNone(row, "message");
  return {
    session: textIn(row, "session"),
    source: textIn(row, "source"),
    agent: textIn(row, "agent"),
    ...(message === undefined ? {} : { message }),
    position: numberIn(row, "position"),
    role: roleIn(row),
    timestamp: numberIn(row, "timestamp"),
    snippet: snippetOf(highlight(textIn(row, "text"), wanted)),
  };
}

function roleIn(row: QueryResult): Hit["role"] {
  const role = textIn(row, "role");
  if (role === "user" || role === "assistant" || role === "toolResult") return role;
  throw new DamagedRow("role");
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
    `SELECT sessions.id AS session, source, folder, day, model, answers, spent.usage AS usage,
      spent.unknown_prices AS unknown_prices
    FROM spent JOIN sessions ON sessions.n = spent.session WHERE ${CURRENT}${sql} ORDER BY spent.session, day, model`,
    values,
  );
  return rows.map(spendingOf);
}

function spendingOf(row: QueryResult): Spending {
  const folder = textOrNone(row, "folder");
  const day = textIn(row, "day");
  return {
    session: textIn(row, "session"),
    source: textIn(row, "source"),
    ...(folder === undefined ? {} : { folder }),
    ...(day === "" ? {} : { day }),
    model: textIn(row, "model"),
    answers: numberIn(row, "answers"),
    usage: usageIn(row),
    unknownPrices: numberIn(row, "unknown_prices") === 1,
  };
}
