import type { SessionFile } from "../types.js";
import { type Batch, type BatchedSession, combined } from "./batch.js";
import type { Pause } from "./pause.js";
import { type Change, type Rows, rowOf } from "./rows.js";
import { spentIn } from "./state.js";
import type { OpenIndex } from "./store.js";
import type { SegmentParts } from "./text/segment-builder.js";
import { newSegment } from "./text/segments.js";
import { HOME_SOURCE } from "./types.js";

export type FoundFile = Omit<SessionFile, "size" | "modified">;

/** The size and time of each session's file when it was indexed, by path. */
export type IndexedFiles = Map<string, { size: number; modified: number; foreign: boolean }>;

/** All files of a source. */
export function readIndexed({ sessions }: Rows, source: string): IndexedFiles {
  const indexed: IndexedFiles = new Map();
  for (const row of sessions.values()) if (row.source === source) indexed.set(row.path, row);
  return indexed;
}

/** The files of the home's sessions with these ids; undefined when one is unknown. */
export function readFiles({ sessions }: Rows, ids: ReadonlySet<string>): FoundFile[] | undefined {
  const found = [...sessions.values()].filter(({ id, source }) => source === HOME_SOURCE && ids.has(id));
  if (new Set(found.map(({ id }) => id)).size < ids.size) return undefined;
  return found.map(({ id, agent, path, foreign }) => ({ id, agent, path, foreign }));
}

/** What is indexed of the files at these paths, and the number of all sessions; undefined if the index lacks one of them. */
export function knownFiles(
  rows: Rows,
  paths: ReadonlySet<string>,
): { files: SessionFile[]; sessions: number } | undefined {
  if (!rows.isComplete) return undefined;
  const files: SessionFile[] = [];
  for (const path of paths) {
    const row = rows.at(HOME_SOURCE, path);
    if (row === undefined) return undefined;
    const { id, agent, foreign, size, modified } = row;
    files.push({ id, agent, path, foreign, size, modified });
  }
  return { files, sessions: rows.countOf(HOME_SOURCE) };
}

/** Writes a batch and its segment: all of it, or nothing. */
export async function writeBatch(
  { rows, texts, commit }: OpenIndex,
  batch: Batch,
  parts: SegmentParts,
  pause: Pause,
): Promise<void> {
  const changes: Change[] = [];
  const numbers: number[] = [];
  let last = rows.lastSession;
  for (const session of batch.sessions()) {
    const n = addChanges(changes, rows, session, last + 1);
    numbers.push(n);
    last = Math.max(last, n);
    await pause();
  }
  const sessions = parts.sessions.map((owner) => numbers[owner] ?? 0);
  if (sessions.some((number) => number !== 0)) {
    changes.push(newSegment(rows, texts, { ...parts, sessions }));
  }
  commit(changes);
}

/** Returns the session's number, or 0 if another process was faster: the next update does the rest. */
function addChanges(
  changes: Change[],
  rows: Rows,
  { before, rebuild, state, spent }: BatchedSession,
  next: number,
): number {
  const { source, path } = state.summary;
  const known = rows.at(source, path);
  if (known?.inode !== before?.inode || known?.position !== before?.position) return 0;
  if (known !== undefined && rebuild) changes.push({ kind: "drop", n: known.n, isDeleted: false });
  const isAdded = known !== undefined && !rebuild;
  const n = isAdded ? known.n : next;
  const all = combined(isAdded ? [...spentIn(known), ...spent] : spent);
  changes.push({ kind: "session", row: rowOf(n, state, all) });
  return n;
}

/** Removes sessions whose files are gone. */
export function removeSessions({ rows, commit }: OpenIndex, source: string, paths: Iterable<string>): void {
  const changes: Change[] = [];
  for (const path of paths) {
    const known = rows.at(source, path);
    if (known !== undefined) changes.push({ kind: "drop", n: known.n, isDeleted: true });
  }
  commit(changes);
}
