import type { Database, Statement } from "node-sqlite3-wasm";
import { sumUsage } from "../../core/message/usage.js";
import type { SessionFile } from "../types.js";
import type { SpentPart } from "./digest.js";
import type { Batch, BatchedSession } from "./batch.js";
import type { Pause } from "./pause.js";
import { numberIn, textIn, usageIn } from "./row.js";
import { COLUMNS, cellsOf, type SessionState, stateOf } from "./state.js";
import { transaction } from "./store.js";
import { addSegment } from "./text/segments.js";
import type { SegmentParts } from "./text/segment-builder.js";
import { HOME_SOURCE } from "./types.js";

/** Sessions read at once. */
const PAGE = 2000;

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
  spent: "SELECT answers, usage, unknown_prices FROM spent WHERE session = ? AND day = ? AND model = ?",
  setSpent: "INSERT OR REPLACE INTO spent VALUES (?, ?, ?, ?, ?, ?)",
};
type Statements = Record<keyof typeof SQL, Statement>;

/** Writes a batch and its segment: all of it, or nothing. */
export async function writeBatch(
  db: Database,
  texts: string,
  batch: Batch,
  parts: SegmentParts,
  pause: Pause,
): Promise<void> {
  await withStatements(db, (sql) =>
    transaction(db, async () => {
      const numbers: number[] = [];
      for (const session of batch.sessions()) {
        numbers.push(writeSession(db, sql, session));
        await pause();
      }
      const sessions = parts.sessions.map((owner) => numbers[owner] ?? 0);
      if (sessions.some((number) => number !== 0)) addSegment(db, texts, { ...parts, sessions });
    }),
  );
}

async function withStatements(db: Database, work: (sql: Statements) => Promise<void>): Promise<void> {
  const prepared: Statements = {
    find: db.prepare(SQL.find),
    insert: db.prepare(SQL.insert),
    update: db.prepare(SQL.update),
    spent: db.prepare(SQL.spent),
    setSpent: db.prepare(SQL.setSpent),
  };
  try {
    await work(prepared);
  } finally {
    for (const statement of Object.values(prepared)) statement.finalize();
  }
}

/** Returns the session's number, or 0 if another process was faster: the next update does the rest. */
function writeSession(
  db: Database,
  sql: Statements,
  { before, rebuild, state, spent }: BatchedSession,
): number {
  const row = sql.find.get([state.summary.source, state.summary.path]);
  const isAsBefore =
    row === null
      ? before === undefined
      : numberIn(row, "inode") === before?.inode && numberIn(row, "position") === before.position;
  if (!isAsBefore) return 0;
  if (row !== null && rebuild) drop(db, numberIn(row, "n"), false);
  let n: number;
  if (row === null || rebuild) n = Number(sql.insert.run(cellsOf(state)).lastInsertRowid);
  else {
    n = numberIn(row, "n");
    sql.update.run([...cellsOf(state), n]);
  }
  for (const part of spent) addSpent(sql, n, part);
  return n;
}

function addSpent(sql: Statements, n: number, part: SpentPart): void {
  const { day, model } = part;
  const row = sql.spent.get([n, day, model]);
  const answers = part.answers + (row === null ? 0 : numberIn(row, "answers"));
  const usage = row === null ? part.usage : sumUsage([usageIn(row), part.usage]);
  const unknownPrices = part.unknownPrices || (row !== null && numberIn(row, "unknown_prices") === 1);
  sql.setSpent.run([n, day, model, answers, JSON.stringify(usage), Number(unknownPrices)]);
}

function drop(db: Database, n: number, isDeleted: boolean): void {
  db.run("INSERT INTO gone VALUES (?, ?)", [n, Number(isDeleted)]);
  db.run("DELETE FROM sessions WHERE n = ?", n);
  db.run("DELETE FROM spent WHERE session = ?", n);
}

/** Removes sessions whose files are gone. */
export async function removeSessions(db: Database, source: string, paths: readonly string[]): Promise<void> {
  await transaction(db, () => {
    for (const path of paths) {
      const row = db.get("SELECT n FROM sessions WHERE source = ? AND path = ?", [source, path]);
      if (row !== null) drop(db, numberIn(row, "n"), true);
    }
  });
}

/** All sessions of the home have been indexed at least once. */
export function isComplete(db: Database): boolean {
  return db.get("SELECT 1 FROM complete") !== null;
}

export function setComplete(db: Database): void {
  if (!isComplete(db)) db.exec("INSERT INTO complete VALUES (1)");
}
