import { setImmediate } from "node:timers/promises";
import type { Database, Statement } from "node-sqlite3-wasm";
import { sumUsage } from "../../core/message/usage.js";
import type { SessionFile } from "../types.js";
import type { SpentPart } from "./digest.js";
import type { Part } from "./parts.js";
import { numberIn, textIn, usageIn } from "./row.js";
import { separated } from "./searchable.js";
import { COLUMNS, cellsOf, type SessionState, stateOf } from "./state.js";
import { transaction } from "./store.js";
import { HOME_SOURCE } from "./types.js";

/** Writing pauses after this time, because it blocks the process, appends included. */
const BLOCKED_MS = 12;
/** A transaction accepts no more parts after this time, because other processes wait for it. */
const HELD_MS = 250;
/** Sessions read at once. */
const PAGE = 2000;
/** Messages removed in one transaction. */
const SWEEP = 100;

export type FoundFile = Omit<SessionFile, "size" | "modified">;

/** The size and time of each session's file when it was indexed, by path. */
export type IndexedFiles = Map<string, { size: number; modified: number; foreign: boolean }>;

/** Adds a source's next page, after a session number; returns the last number, or undefined at the end. */
export function readIndexed(
  db: Database,
  source: string,
  indexed: IndexedFiles,
  after: number,
): number | undefined {
  const rows = db.all(
    `SELECT n, path, size, modified, is_foreign FROM sessions WHERE n > ? AND source = ? ORDER BY n LIMIT ${PAGE}`,
    [after, source],
  );
  for (const row of rows) {
    indexed.set(textIn(row, "path"), {
      size: numberIn(row, "size"),
      modified: numberIn(row, "modified"),
      foreign: numberIn(row, "is_foreign") !== 0,
    });
  }
  const last = rows.at(-1);
  return last === undefined ? undefined : numberIn(last, "n");
}

export function readState(db: Database, source: string, path: string): SessionState | undefined {
  const row = db.get("SELECT * FROM sessions WHERE source = ? AND path = ?", [source, path]);
  return row === null ? undefined : stateOf(row);
}

/** The files of the home's sessions with these ids; undefined when one is unknown. */
export function readFiles(db: Database, ids: ReadonlySet<string>): FoundFile[] | undefined {
  const files: FoundFile[] = [];
  for (const id of ids) {
    const rows = db.all("SELECT path, agent, is_foreign FROM sessions WHERE id = ? AND source = ?", [
      id,
      HOME_SOURCE,
    ]);
    if (rows.length === 0) return undefined;
    for (const row of rows) {
      const foreign = numberIn(row, "is_foreign") === 1;
      files.push({ id, agent: textIn(row, "agent"), path: textIn(row, "path"), foreign });
    }
  }
  return files;
}

const marks = COLUMNS.map(() => "?").join(", ");
const SQL = {
  find: "SELECT n, inode, position FROM sessions WHERE source = ? AND path = ?",
  insert: `INSERT INTO sessions (${COLUMNS.join(", ")}) VALUES (${marks})`,
  update: `UPDATE sessions SET (${COLUMNS.join(", ")}) = (${marks}) WHERE n = ?`,
  message: "INSERT INTO messages (session, id, position, role, timestamp) VALUES (?, ?, ?, ?, ?)",
  said: "INSERT INTO said (rowid, text) VALUES (?, ?)",
  spent: "SELECT answers, usage, unknown_prices FROM spent WHERE session = ? AND day = ? AND model = ?",
  setSpent: "INSERT OR REPLACE INTO spent VALUES (?, ?, ?, ?, ?, ?)",
};
type Statements = Record<keyof typeof SQL, Statement>;

/** Writes parts until the time is up; false at their end. */
export async function writeParts(db: Database, parts: AsyncIterator<Part, void>): Promise<boolean> {
  const statements: Statement[] = [];
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    statements.push(statement);
    return statement;
  };
  try {
    const prepared = {
      find: prepare(SQL.find),
      insert: prepare(SQL.insert),
      update: prepare(SQL.update),
      message: prepare(SQL.message),
      said: prepare(SQL.said),
      spent: prepare(SQL.spent),
      setSpent: prepare(SQL.setSpent),
    };
    return await transaction(db, async () => {
      const end = performance.now() + HELD_MS;
      for (let pause = performance.now() + BLOCKED_MS; ; ) {
        const { value: part } = await parts.next();
        if (part === undefined) return false;
        writePart(db, prepared, part);
        const now = performance.now();
        if (now >= end) return true;
        if (now < pause) continue;
        await setImmediate();
        pause = performance.now() + BLOCKED_MS;
      }
    });
  } finally {
    for (const statement of statements) statement.finalize();
  }
}

function writePart(db: Database, sql: Statements, { before, rebuild, state, texts, spent }: Part): void {
  const row = sql.find.get([state.summary.source, state.summary.path]);
  const isAsBefore =
    row === null
      ? before === undefined
      : numberIn(row, "inode") === before?.inode && numberIn(row, "position") === before.position;
  // Another process was faster. The next update does the rest.
  if (!isAsBefore) return;
  if (row !== null && rebuild) drop(db, numberIn(row, "n"));
  let n: number | bigint;
  if (row === null || rebuild) n = sql.insert.run(cellsOf(state)).lastInsertRowid;
  else {
    n = numberIn(row, "n");
    sql.update.run([...cellsOf(state), n]);
  }
  for (const { id, position, role, timestamp, text } of texts) {
    const { lastInsertRowid } = sql.message.run([n, id ?? null, position, role, timestamp]);
    sql.said.run([lastInsertRowid, separated(text)]);
  }
  for (const part of spent) addSpent(sql, n, part);
}

function addSpent(sql: Statements, n: number | bigint, part: SpentPart): void {
  const { day, model } = part;
  const row = sql.spent.get([n, day, model]);
  const answers = part.answers + (row === null ? 0 : numberIn(row, "answers"));
  const usage = row === null ? part.usage : sumUsage([usageIn(row), part.usage]);
  const unknownPrices = part.unknownPrices || (row !== null && numberIn(row, "unknown_prices") === 1);
  sql.setSpent.run([n, day, model, answers, JSON.stringify(usage), Number(unknownPrices)]);
}

function drop(db: Database, n: number): void {
  db.run("INSERT INTO gone VALUES (?)", n);
  db.run("DELETE FROM sessions WHERE n = ?", n);
  db.run("DELETE FROM spent WHERE session = ?", n);
}

export async function removeSession(db: Database, source: string, path: string): Promise<void> {
  const row = db.get("SELECT n FROM sessions WHERE source = ? AND path = ?", [source, path]);
  if (row !== null) await transaction(db, () => drop(db, numberIn(row, "n")));
}

/** Whether messages of removed sessions are left. */
export function hasGarbage(db: Database): boolean {
  return db.get("SELECT 1 FROM gone") !== null;
}

/** Removes some of them; false when none are left. */
export async function sweep(db: Database): Promise<boolean> {
  if (!hasGarbage(db)) return false;
  const rows = db.all(`SELECT n FROM messages WHERE session IN (SELECT session FROM gone) LIMIT ${SWEEP}`);
  await transaction(db, () => {
    for (const row of rows) {
      db.run("DELETE FROM said WHERE rowid = ?", numberIn(row, "n"));
      db.run("DELETE FROM messages WHERE n = ?", numberIn(row, "n"));
    }
    if (rows.length < SWEEP) db.exec("DELETE FROM gone");
  });
  return rows.length === SWEEP;
}

/** All sessions of the home have been indexed at least once. */
export function isComplete(db: Database): boolean {
  return db.get("SELECT 1 FROM complete") !== null;
}

export function setComplete(db: Database): void {
  if (!isComplete(db)) db.exec("INSERT INTO complete VALUES (1)");
}
