import { setImmediate } from "node:timers/promises";
import { isSystemError } from "../../core/system-error.js";
import type { SessionFile } from "../types.js";
import { type Part, readAdded, readWhole, unreadable } from "./parts.js";
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

/** Parts are written once either limit is reached. */
const PENDING_PARTS = 100;
const PENDING_LENGTH = 256 * 1024;

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
  await indexChanged(new Indexer(store, source, proceed), changed, indexed, onProgress);
  for (const path of gone) {
    await store.use((db) => removeSession(db, source.name, path));
    done.removed += 1;
  }
  if (wasComplete && done.changed + done.removed === 0) return done;
  await store.use(setComplete);
  await sweepAll(store, proceed);
  return done;
}

async function indexChanged(
  indexer: Indexer,
  files: readonly SessionFile[],
  known: IndexedFiles,
  onProgress: UpdateOptions["onProgress"],
): Promise<void> {
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    await indexer.index(file, known.has(file.path));
    bytes += file.size;
    onProgress?.({ indexed: index + 1, changed: files.length, bytes, totalBytes });
  }
  await indexer.flush();
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
  const indexer = new Indexer(store, source, proceed);
  for (const file of files) await indexer.index(file, true);
  await indexer.flush();
  await sweepAll(store, proceed);
}

/** Collects parts, because the cost of a transaction hardly depends on its size. */
class Indexer {
  readonly #store: Store;
  readonly #source: SessionSource;
  readonly #proceed: Proceed;
  #pending: Part[] = [];
  #length = 0;

  constructor(store: Store, source: SessionSource, proceed: Proceed) {
    this.#store = store;
    this.#source = source;
    this.#proceed = proceed;
  }

  async index(file: SessionFile, isKnown: boolean): Promise<void> {
    const { path, foreign } = file;
    const { name } = this.#source;
    const known = isKnown ? await this.#store.use((db) => readState(db, name, path)) : undefined;
    try {
      const parts = foreign ? readWhole(file, known, this.#source) : readAdded(file, known);
      for await (const part of parts) {
        this.#proceed();
        await this.#add(part);
      }
    } catch (error) {
      if (!isSystemError(error)) throw error;
      // Deleted since it was listed: the next update will not find it.
      if (error.code !== "ENOENT") await this.#add(unreadable(file, known, name, error.message));
    }
  }

  async #add(part: Part): Promise<void> {
    this.#pending.push(part);
    for (const { text } of part.texts) this.#length += text.length;
    if (this.#pending.length >= PENDING_PARTS || this.#length >= PENDING_LENGTH) await this.flush();
  }

  async flush(): Promise<void> {
    while (this.#pending.length > 0) {
      const parts = this.#pending;
      this.#pending = await this.#store.use((db) => writeParts(db, parts));
      await setImmediate();
    }
    this.#length = 0;
  }
}

async function sweepAll(store: Store, proceed: Proceed): Promise<void> {
  while (await store.use(sweep)) {
    proceed();
    await setImmediate();
  }
}
