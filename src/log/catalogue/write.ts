import type { Database } from "node-sqlite3-wasm";
import type { SessionFile } from "../types.js";
import { type Batch, type BatchedSession, combined } from "./batch.js";
import type { SpentPart } from "./digest.js";
import type { Pause } from "./pause.js";
import { jsonIn, numberIn, textIn } from "./row.js";
import { COLUMNS, cellsOf, type SessionState, spentIn, stateIn } from "./state.js";
import { transaction } from "./store.js";
import type { SegmentParts } from "./text/segment-builder.js";
import { addSegment } from "./text/segments.js";
import { HOME_SOURCE } from "./types.js";

/** Sessions written in one statement. */
const WRITTEN_AT_ONCE = 100;

export type FoundFile = Omit<SessionFile, "size" | "modified">;

/** The size and time of each session's file when it was indexed, by path. */
export type IndexedFiles = Map<string, { size: number; modified: number; foreign: boolean }>;

/** All files of a source. As one text: to read the cells of many rows one by one would take several times as long. */
export function readIndexed(db: Database, source: string): IndexedFiles {
  const files = "SELECT json_group_array(json_array(path, size, modified, is_foreign)) AS files";
  const row = db.get(`${files} FROM sessions WHERE source = ?`, source) ?? {};
  const found = jsonIn(row, "files", (value): value is [string, number, string, number][] =>
    Array.isArray(value),
  );
  return new Map(
    found.map(([path, size, modified, foreign]) => [
      path,
      { size, modified: Number(modified), foreign: foreign === 1 },
    ]),
  );
}

export function readState(db: Database, source: string, path: string): SessionState | undefined {
  const row = db.get("SELECT state FROM sessions WHERE source = ? AND path = ?", [source, path]);
  return row === null ? undefined : stateIn(row);
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

const CELLS = COLUMNS.map((_, index) => `json_extract(value, '$[${index + 1}]')`).join(", ");
/** A list of sessions as JSON: to bind the cells of many rows one by one would take several times as long. */
const WRITE = `INSERT OR REPLACE INTO sessions (n, ${COLUMNS.join(", ")})
  SELECT json_extract(value, '$[0]'), ${CELLS} FROM json_each(?)`;
const FIND = `SELECT n, path, inode, position, spent FROM sessions
  WHERE source = ? AND path IN (SELECT value FROM json_each(?))`;

/** Writes a batch and its segment: all of it, or nothing. */
export async function writeBatch(
  db: Database,
  texts: string,
  batch: Batch,
  parts: SegmentParts,
  pause: Pause,
): Promise<void> {
  await transaction(db, async () => {
    const numbers: number[] = [];
    const all = batch.sessions();
    for (let start = 0; start < all.length; start += WRITTEN_AT_ONCE) {
      numbers.push(...writeSessions(db, all.slice(start, start + WRITTEN_AT_ONCE)));
      await pause();
    }
    const sessions = parts.sessions.map((owner) => numbers[owner] ?? 0);
    if (sessions.some((number) => number !== 0)) addSegment(db, texts, { ...parts, sessions });
  });
}

/** Returns each session's number, or 0 if another process was faster: the next update does the rest. */
function writeSessions(db: Database, sessions: readonly BatchedSession[]): number[] {
  const known = findSessions(db, sessions);
  let last = numberIn(
    db.get("SELECT coalesce(max(seq), 0) AS last FROM sqlite_sequence WHERE name = 'sessions'") ?? {},
    "last",
  );
  const rows: unknown[][] = [];
  const numbers = sessions.map(({ before, rebuild, state, spent }) => {
    const row = known.get(state.summary.path);
    const isAsBefore = row?.inode === before?.inode && row?.position === before?.position;
    if (!isAsBefore) return 0;
    if (row !== undefined && rebuild) drop(db, row.n, false);
    const isAdded = row !== undefined && !rebuild;
    if (!isAdded) last += 1;
    const n = isAdded ? row.n : last;
    rows.push([n, ...cellsOf(state, combined(isAdded ? [...row.spent, ...spent] : spent))]);
    return n;
  });
  if (rows.length > 0) db.run(WRITE, JSON.stringify(rows));
  return numbers;
}

interface KnownSession {
  n: number;
  inode: number;
  position: number;
  spent: SpentPart[];
}

/** What the index has of these sessions, by path. They are of one source. */
function findSessions(db: Database, sessions: readonly BatchedSession[]): Map<string, KnownSession> {
  const summaries = sessions.map(({ state }) => state.summary);
  const [first] = summaries;
  if (first === undefined) return new Map();
  const paths = JSON.stringify(summaries.map(({ path }) => path));
  return new Map(
    db.all(FIND, [first.source, paths]).map((row) => [
      textIn(row, "path"),
      {
        n: numberIn(row, "n"),
        inode: numberIn(row, "inode"),
        position: numberIn(row, "position"),
        spent: spentIn(row),
      },
    ]),
  );
}

function drop(db: Database, n: number, isDeleted: boolean): void {
  db.run("INSERT INTO gone VALUES (?, ?)", [n, Number(isDeleted)]);
  db.run("DELETE FROM sessions WHERE n = ?", n);
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
