import { setImmediate } from "node:timers/promises";
import type { Database } from "node-sqlite3-wasm";
import { isSystemError } from "../../core/system-error.js";
import type { SessionFile } from "../types.js";
import { type Part, readAdded, readWhole, unreadable } from "./parts.js";
import type { SessionState } from "./state.js";
import type { Store } from "./store.js";
import type { SessionSource, Updated, UpdateOptions } from "./types.js";
import {
  hasGarbage,
  type IndexedFiles,
  isComplete,
  readIndexed,
  readState,
  removeSession,
  setComplete,
  sweep,
  writeParts,
} from "./write.js";

/** Called between steps; throws to cancel the rest. */
type Proceed = () => void;

/** Brings the index up to date with all files of a source. */
export async function updateAll(
  store: Store,
  source: SessionSource,
  proceed: Proceed,
  onProgress?: UpdateOptions["onProgress"],
): Promise<Updated> {
  const indexed = await readAllIndexed(store, source.name);
  const wasComplete = await store.use((db) => isComplete(db) && !hasGarbage(db));
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
  const totalBytes = changed.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  await indexFiles(store, source, changed, proceed, {
    isKnown: ({ path }) => indexed.has(path),
    onIndexed: (file, index) => {
      bytes += file.size;
      onProgress?.({ indexed: index + 1, changed: changed.length, bytes, totalBytes });
    },
  });
  for (const path of gone) {
    await store.use((db) => removeSession(db, source.name, path));
    done.removed += 1;
  }
  if (wasComplete && done.changed + done.removed === 0) return done;
  await store.use(setComplete);
  await sweepAll(store, proceed);
  return done;
}

async function readAllIndexed(store: Store, source: string): Promise<IndexedFiles> {
  const indexed: IndexedFiles = new Map();
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last;
    last = await store.use((db) => readIndexed(db, source, indexed, after));
  }
  return indexed;
}

/** Brings the index up to date with these files. */
export async function updateFiles(
  store: Store,
  source: SessionSource,
  files: readonly SessionFile[],
  proceed: Proceed,
): Promise<void> {
  await indexFiles(store, source, files, proceed, { isKnown: () => true });
  await sweepAll(store, proceed);
}

interface FileOptions {
  /** Whether the index may have it. */
  isKnown(file: SessionFile): boolean;
  onIndexed?(file: SessionFile, index: number): void;
}

/** Reads files while the database is open: to open it again for each of them costs more than to index them. */
async function indexFiles(
  store: Store,
  source: SessionSource,
  files: readonly SessionFile[],
  proceed: Proceed,
  options: FileOptions,
): Promise<void> {
  let open: Database | undefined;
  const stateIn = (path: string) => (open === undefined ? undefined : readState(open, source.name, path));
  async function* all(): AsyncGenerator<Part, void, undefined> {
    for (const [index, file] of files.entries()) {
      for await (const part of partsOf(
        file,
        source,
        options.isKnown(file) ? stateIn(file.path) : undefined,
      )) {
        proceed();
        yield part;
      }
      options.onIndexed?.(file, index);
    }
  }
  const parts = all();
  try {
    for (let hasMore = files.length > 0; hasMore; ) {
      hasMore = await store.use((db) => {
        open = db;
        return writeParts(db, parts);
      });
      await setImmediate();
    }
  } finally {
    await parts.return();
  }
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

async function sweepAll(store: Store, proceed: Proceed): Promise<void> {
  while (await store.use(sweep)) {
    proceed();
    await setImmediate();
  }
}
