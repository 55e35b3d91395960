import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { DragomanError } from "../../core/error.js";
import { isSystemError } from "../../core/system-error.js";
import type { SessionFile } from "../types.js";
import { get, list, search, spending, statsOf } from "./find.js";
import { summaryOf } from "./state.js";
import { IndexLost, type OpenIndex, Store } from "./store.js";
import {
  type Catalogue,
  type CatalogueOptions,
  HOME_SOURCE,
  type SessionSource,
  type SessionSummary,
  type Updated,
  type UpdateOptions,
} from "./types.js";
import { type Proceed, updateAll, updateFiles } from "./update.js";
import { type FoundFile, knownFiles, readFiles } from "./write.js";

/** Appends within this time are indexed together, because indexing delays answers. */
const GATHER_MS = 1_000;

/**
 * The index of all sessions. Nothing is opened or loaded before its first use.
 *
 * @example
 * const catalogue = openCatalogue({ home, sessions: (known) => log.list(known), readForeign, withLock });
 * await catalogue.update();
 * const { hits } = await catalogue.search('"log file" -draft', { agent: "main" });
 */
export function openCatalogue(options: CatalogueOptions): Catalogue {
  const folder = join(options.home, "index");
  const home: SessionSource = { ...options, name: HOME_SOURCE };
  const store = new Store(folder, options.withLock, options.onNote);
  const closing = new AbortController();
  const throwIfClosing = () => closing.signal.throwIfAborted();
  let last: Promise<unknown> = Promise.resolve();
  let updates = 0;
  let gathered: { ids: Set<string>; done: Promise<void> } | undefined;

  /** Runs updates one at a time: a second one finds what the first left to do. */
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  /** Rebuilds a lost index from the logs, once: losing it again has another cause. */
  async function withRebuild<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IndexLost)) throw error;
      options.onNote?.(`rebuilding the session index: ${error.message}`);
    }
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IndexLost)) throw error;
      throw new DragomanError("log/no-index", `the session index cannot be used: ${error.message}`, {
        hint: `check that "${folder}" is writable and that the disk has room`,
        cause: error,
      });
    }
  }

  const update: Catalogue["update"] = ({ source = home, signal, onProgress } = {}) =>
    enqueue(() => {
      const proceed: Proceed = () => {
        throwIfClosing();
        signal?.throwIfAborted();
      };
      return withRebuild(() =>
        source === home ? updateHome(proceed, onProgress) : updateAll(store, source, proceed, onProgress),
      );
    });

  /** Checks only files that have changed, where that is known. */
  async function updateHome(proceed: Proceed, onProgress: UpdateOptions["onProgress"]): Promise<Updated> {
    try {
      const updated = (await updateKnown(proceed)) ?? (await updateListed(proceed, onProgress));
      updates += 1;
      return updated;
    } catch (error) {
      // Some changes may not have been indexed.
      options.changed?.close();
      throw error;
    }
  }

  /** Undefined if all files have to be checked. */
  async function updateKnown(proceed: Proceed): Promise<Updated | undefined> {
    const paths = await options.changed?.changes();
    if (paths === undefined) return undefined;
    const known = await store.use(({ rows }) => knownFiles(rows, paths));
    if (known === undefined) return undefined;
    const files: SessionFile[] = [];
    for (const before of known.files) {
      const file = await statFile(before);
      if (file === undefined) return undefined;
      if (file.size !== before.size || file.modified !== before.modified) files.push(file);
    }
    if (files.length > 0) await updateFiles(store, home, files, proceed);
    return { sessions: known.sessions, changed: files.length, removed: 0 };
  }

  async function updateListed(proceed: Proceed, onProgress: UpdateOptions["onProgress"]): Promise<Updated> {
    // A command that updates the index once does not have to watch the files.
    if (updates > 0) await options.changed?.begin();
    return updateAll(store, home, proceed, onProgress);
  }

  /** A query of an index that is not complete yet waits until it is. */
  function query<T>(question: (index: OpenIndex) => T): Promise<T> {
    return withRebuild(async () => {
      const answer = await store.use((index) =>
        index.rows.isComplete ? { value: question(index) } : undefined,
      );
      if (answer !== undefined) return answer.value;
      await update();
      return store.use(question);
    });
  }

  async function updateSome(ids: ReadonlySet<string>): Promise<void> {
    const known = await store.use(({ rows }) => (rows.isComplete ? readFiles(rows, ids) : undefined));
    const files = await Promise.all((known ?? []).map(statFile));
    const existing = files.filter((file) => file !== undefined);
    if (known?.length === existing.length) await updateFiles(store, home, existing, throwIfClosing);
    else await updateAll(store, home, throwIfClosing);
  }

  async function updateGathered(ids: ReadonlySet<string>): Promise<void> {
    try {
      await setTimeout(GATHER_MS, undefined, { ref: false, signal: closing.signal });
      gathered = undefined;
      await enqueue(() => withRebuild(() => updateSome(ids)));
    } catch (error) {
      if (!closing.signal.aborted) throw error;
    }
  }

  async function updateFile(source: SessionSource, file: SessionFile): Promise<SessionSummary | undefined> {
    const known = await store.use(({ rows }) => rows.at(source.name, file.path));
    if (known?.size !== file.size || known.modified !== file.modified) {
      await updateFiles(store, source, [file], throwIfClosing);
    }
    const row = await store.use(({ rows }) => rows.at(source.name, file.path));
    return row === undefined ? undefined : summaryOf(row);
  }

  return {
    update,
    updateFile: (source, file) => enqueue(() => withRebuild(() => updateFile(source, file))),
    indexSoon(session) {
      if (gathered === undefined) {
        const ids = new Set<string>();
        gathered = { ids, done: updateGathered(ids) };
      }
      gathered.ids.add(session);
      return gathered.done;
    },
    list: (given = {}) => query(({ rows }) => list(rows, given)),
    get: (name, filter = {}) => query(({ rows }) => get(rows, name, filter)),
    search: (input, filters = {}) => query((index) => search(index, input, filters)),
    stats: (filter = {}) => query(({ rows }) => statsOf(list(rows, filter))),
    spending: (filter = {}) => query(({ rows }) => spending(rows, filter)),
    async close() {
      closing.abort(new DragomanError("log/closed", "the session index was closed"));
      options.changed?.close();
      await last;
      await store.close();
    },
  };
}

/** Undefined when the file is gone. */
async function statFile(file: FoundFile): Promise<SessionFile | undefined> {
  try {
    const { size, mtimeMs } = await stat(file.path);
    return { ...file, size, modified: mtimeMs };
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
