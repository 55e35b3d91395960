import type { Database, JSValue, QueryResult } from "node-sqlite3-wasm";
import { DragomanError } from "../../core/error.js";
import { sumUsage } from "../../core/message/usage.js";
import { highlight, type SearchTerm } from "./highlight.js";
import { parseQuery } from "./query.js";
import { DamagedRow, numberIn, textIn, textOrNone } from "./row.js";
import { snippetOf } from "./snippet.js";
import { summaryOf } from "./state.js";
import type { AgentFilter, Found, Hit, ListOptions, SearchFilters, SessionSummary, Stats } from "./types.js";

const HITS = 20;
/** At most this many matches are ranked, so that a very common word stays fast. */
const RANKED = 1000;
const NAMED_IN_ERROR = 5;
const FILE = ".jsonl";

/** The conditions that have a value, as SQL and parameters. */
function where(conditions: readonly (readonly [string, JSValue | undefined])[]) {
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  return { sql: given.map(({ sql }) => ` AND ${sql}`).join(""), values: given.map(({ value }) => value) };
}

function oneOf(agents: readonly string[] | undefined): readonly [string, JSValue | undefined] {
  return ["sessions.agent IN (SELECT value FROM json_each(?))", agents && JSON.stringify(agents)];
}

/** Hides a foreign session that one of ours continues: the key names ours alone. */
const CURRENT = `NOT (sessions.is_foreign = 1 AND sessions.key IS NOT NULL AND EXISTS (
  SELECT 1 FROM sessions AS own WHERE own.key = sessions.key AND own.is_foreign = 0))`;

export function list(db: Database, options: ListOptions): SessionSummary[] {
  const { agent, agents, except, archived, before, limit = -1, sort = "active" } = options;
  const { sql, values } = where([
    ["agent = ?", agent],
    oneOf(agents),
    ["agent <> ?", except],
    ["archived = ?", archived],
    [`(${sort}, n) < (SELECT ${sort}, n FROM sessions WHERE id = ? LIMIT 1)`, before],
  ]);
  const order = `ORDER BY ${sort} DESC, n DESC`;
  const rows = db.all(`SELECT * FROM sessions WHERE ${CURRENT}${sql} ${order} LIMIT ?`, [...values, limit]);
  return rows.map(summaryOf);
}

export function get(db: Database, name: string): SessionSummary | undefined {
  // A foreign session's id may be the key of ours that continues it; with the suffix it names the foreign file.
  const [id, least] = name.endsWith(FILE) ? [name.slice(0, -FILE.length), 1] : [name, 0];
  const exact =
    db.get("SELECT * FROM sessions WHERE key = ? ORDER BY is_foreign, created DESC, n DESC LIMIT 1", name) ??
    db.get("SELECT * FROM sessions WHERE id = ? AND is_foreign >= ? ORDER BY n DESC LIMIT 1", [id, least]);
  if (exact !== null) return summaryOf(exact);
  if (name === "") return undefined;
  const rows = db.all(`SELECT * FROM sessions WHERE substr(id, 1, ?) = ? AND ${CURRENT} ORDER BY id`, [
    name.length,
    name,
  ]);
  const [only] = rows;
  if (rows.length > 1) throw ambiguous(name, rows);
  return only === undefined ? undefined : summaryOf(only);
}

function ambiguous(name: string, rows: readonly QueryResult[]): DragomanError {
  const ids = rows.slice(0, NAMED_IN_ERROR).map((row) => textIn(row, "id"));
  const more = rows.length > ids.length ? ", …" : "";
  const message = `${rows.length} sessions begin with ${name}: ${ids.join(", ")}${more}`;
  return new DragomanError("log/ambiguous", message, { hint: "give more of the id" });
}

export function search(db: Database, query: string, filters: SearchFilters): Found {
  const { match, wanted, ignored } = parseQuery(query);
  if (match === undefined) return { hits: [], ignored };
  const { agent, agents, except, key, role, since, until, limit = HITS } = filters;
  const { sql, values } = where([
    ["sessions.agent = ?", agent],
    oneOf(agents),
    ["sessions.agent <> ?", except],
    ["sessions.key = ?", key],
    ["messages.role = ?", role],
    ["messages.timestamp >= ?", since],
    ["messages.timestamp <= ?", until],
  ]);
  const rows = db.all(
    `WITH latest AS (
      SELECT said.rowid AS n, bm25(said) AS score
      FROM said CROSS JOIN messages ON messages.n = said.rowid CROSS JOIN sessions ON sessions.n = messages.session
      WHERE said MATCH ? AND ${CURRENT}${sql} ORDER BY said.rowid DESC LIMIT ?
    ), best AS (SELECT n, score FROM latest ORDER BY score, n DESC LIMIT ?)
    SELECT sessions.id AS session, sessions.agent AS agent, messages.id AS message, messages.position AS position,
      messages.role AS role, messages.timestamp AS timestamp, said.text AS text
    FROM best JOIN messages ON messages.n = best.n JOIN sessions ON sessions.n = messages.session
      JOIN said ON said.rowid = best.n
    ORDER BY best.score, best.n DESC`,
    [match, ...values, Math.max(RANKED, limit), limit],
  );
  return { hits: rows.map((row) => hitOf(row, wanted)), ignored };
}

function hitOf(row: QueryResult, wanted: readonly SearchTerm[]): Hit {
  const message = textOrNone(row, "message");
  return {
    session: textIn(row, "session"),
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
  const all = list(db, filter);
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
