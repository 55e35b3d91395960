import { isSystemError } from "../../core/system-error.js";
import type { SessionFile } from "../types.js";
import { Batch } from "./batch.js";
import { type Part, readAdded, readWhole, unreadable } from "./parts.js";
import { type Pause, pauses } from "./pause.js";
import { type SessionState, stateIn } from "./state.js";
import type { Store } from "./store.js";
import { compact } from "./text/compact.js";
import type { SessionSource, Updated, UpdateOptions } from "./types.js";
import { readIndexed, removeSessions, writeBatch } from "./write.js";

/** Files whose indexed state is read at once. */
const STATES = 200;

/** Called between steps; throws to cancel the rest. */
export type Proceed = () => void;

/** Brings the index up to date with all files of a source. */
export async function updateAll(
  store: Store,
  source: SessionSource,
  proceed: Proceed,
  onProgress?: UpdateOptions["onProgress"],
): Promise<Updated> {
  const { indexed, wasComplete } = await store.use(({ rows }) => ({
    indexed: readIndexed(rows, source.name),
    wasComplete: rows.isComplete,
  }));
  const done: Updated = { sessions: 0, changed: 0, removed: 0 };
  const gone = new Set(indexed.keys());
  const changed: SessionFile[] = [];
  for await (const file of source.sessions(indexed)) {
    proceed();
    const before = indexed.get(file.path);
    gone.delete(file.path);
    done.sessions += 1;
    if (before?.size !== file.size || before.modified !== file.modified) changed.push(file);
  }
  done.changed = changed.length;
  done.removed = gone.size;
  const totalBytes = changed.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  await indexFiles(store, source, changed, proceed, {
    isKnown: ({ path }) => indexed.has(path),
    onIndexed: (file, index) => {
      bytes += file.size;
      onProgress?.({ indexed: index + 1, changed: changed.length, bytes, totalBytes });
    },
  });
  if (gone.size > 0) await store.use((index) => removeSessions(index, source.name, gone));
  if (wasComplete && done.changed + done.removed === 0) return done;
  await store.use(({ rows, commit }) => commit(rows.isComplete ? [] : [{ kind: "complete" }]));
  await compact(store, pauses(), proceed);
  return done;
}

/** Brings the index up to date with these files. */
export async function updateFiles(
  store: Store,
  source: SessionSource,
  files: readonly SessionFile[],
  proceed: Proceed,
): Promise<void> {
  await indexFiles(store, source, files, proceed, { isKnown: () => true });
  await compact(store, pauses(), proceed);
}

interface FileOptions {
  /** Whether the index may have it. */
  isKnown(file: SessionFile): boolean;
  onIndexed?(file: SessionFile, index: number): void;
}

/** Reads files and collects what they add without the lock, which is held only to write a batch. */
async function indexFiles(
  store: Store,
  source: SessionSource,
  files: readonly SessionFile[],
  proceed: Proceed,
  options: FileOptions,
): Promise<void> {
  const pause = pauses();
  let batch = new Batch();
  let states = new Map<string, SessionState>();
  for (const [index, file] of files.entries()) {
    if (index % STATES === 0) {
      const known = files.slice(index, index + STATES).filter(options.isKnown);
      states = await readStates(store, source.name, known);
    }
    for await (const part of partsOf(file, source, states.get(file.path))) {
      proceed();
      batch.add(part);
      await pause();
      if (!batch.isFull) continue;
      await write(store, batch, pause);
      batch = new Batch();
    }
    options.onIndexed?.(file, index);
  }
  if (!batch.isEmpty) await write(store, batch, pause);
}

async function readStates(
  store: Store,
  source: string,
  files: readonly SessionFile[],
): Promise<Map<string, SessionState>> {
  const states = new Map<string, SessionState>();
  if (files.length === 0) return states;
  await store.use(({ rows }) => {
    for (const { path } of files) {
      const row = rows.at(source, path);
      if (row !== undefined) states.set(path, stateIn(row));
    }
  });
  return states;
}

async function write(store: Store, batch: Batch, pause: Pause): Promise<void> {
  const parts = await batch.segment.finish(pause);
  await store.use((index) => writeBatch(index, batch, parts, pause));
}

async function* partsOf(
  file: SessionFile,
  source: SessionSource,
  known: SessionState | undefined,
): AsyncGenerator<Part, void, undefined> {
  try {
    yield* file.foreign ? readWhole(file, known, source) : readAdded(file, known);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // Deleted since it was listed: the next update will not find it.
    if (error.code !== "ENOENT") yield unreadable(file, known, source.name, error.message);
  }
}
