import { setImmediate } from "node:timers/promises";
import { isSystemError } from "../../core/system-error.js";
import type { SessionFile } from "../types.js";
import { type Part, readAdded, readAnew, unreadable } from "./parts.js";
import type { Store } from "./store.js";
import type { CatalogueOptions, Updated, UpdateOptions } from "./types.js";
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

type Source = Pick<CatalogueOptions, "sessions" | "readForeign">;

/** Brings the index up to date with all logs. */
export async function updateAll(
  store: Store,
  source: Source,
  proceed: Proceed,
  onProgress?: UpdateOptions["onProgress"],
): Promise<Updated> {
  const seen = await readAllIndexed(store);
  const wasComplete = await store.use((db) => isComplete(db) && !hasGarbage(db));
  const done: Updated = { sessions: 0, changed: 0, removed: 0 };
  const writer = new Writer(store);
  const gone = new Set(seen.keys());
  for await (const file of source.sessions(seen)) {
    proceed();
    const before = seen.get(file.path);
    gone.delete(file.path);
    done.sessions += 1;
    if (before?.size === file.size && before.modified === file.modified) continue;
    done.changed += 1;
    await indexFile(store, writer, source, file, before !== undefined, proceed);
    onProgress?.({ sessions: done.sessions, changed: done.changed });
  }
  await writer.flush();
  for (const path of gone) {
    await store.use((db) => removeSession(db, path));
    done.removed += 1;
  }
  if (wasComplete && done.changed + done.removed === 0) return done;
  await store.use(setComplete);
  await sweepAll(store, proceed);
  return done;
}

async function readAllIndexed(store: Store): Promise<IndexedFiles> {
  const seen: IndexedFiles = new Map();
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last;
    last = await store.use((db) => readIndexed(db, seen, after));
  }
  return seen;
}

/** Brings the index up to date with these logs. */
export async function updateFiles(
  store: Store,
  source: Source,
  files: readonly SessionFile[],
  proceed: Proceed,
): Promise<void> {
  const writer = new Writer(store);
  for (const file of files) await indexFile(store, writer, source, file, true, proceed);
  await writer.flush();
  await sweepAll(store, proceed);
}

async function indexFile(
  store: Store,
  writer: Writer,
  { readForeign }: Source,
  file: SessionFile,
  isKnown: boolean,
  proceed: Proceed,
): Promise<void> {
  const known = isKnown ? await store.use((db) => readState(db, file.path)) : undefined;
  try {
    const parts = file.foreign ? readAnew(file, known, readForeign(file.path)) : readAdded(file, known);
    for await (const part of parts) {
      proceed();
      await writer.add(part);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // Deleted since it was listed: the next update will not find it.
    if (error.code !== "ENOENT") await writer.add(unreadable(file, known, error.message));
  }
}

/** Collects parts, because the cost of a transaction hardly depends on its size. */
class Writer {
  readonly #store: Store;
  #pending: Part[] = [];
  #length = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async add(part: Part): Promise<void> {
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
