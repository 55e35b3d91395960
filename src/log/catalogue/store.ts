import { rmSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "node-sqlite3-wasm";
import { fallbackIfMissing, isUnwritable } from "../files/disk-error.js";
import { makeFolder } from "../files/folder.js";
import { DamagedRow, numberIn } from "./row.js";
import { SCHEMA, VERSION } from "./schema.js";
import { DamagedSegment } from "./text/segment-file.js";
import type { WithLock } from "./types.js";

/** Exclusive, because with its own locks SQLite in WebAssembly does not recover a log after a crash; see decision 7. */
const SETTINGS = `
PRAGMA locking_mode = exclusive;
PRAGMA journal_mode = wal;
PRAGMA synchronous = off;
PRAGMA cache_size = -16000;
`;

/** The database was not usable and has been deleted. It can be rebuilt from the logs. */
export class IndexLost extends Error {}

class OtherVersion extends Error {}

const FILE = "sessions.db";
/** The folder of the text index's segments, beside the database. */
const TEXTS = "texts";

/** What is done with the open database and the folder of the segments. */
export type Work<T> = (db: Database, texts: string) => T | Promise<T>;

/** The index's database and segments. Only the holder of its lock has them open. */
export class Store {
  readonly #folder: string;
  readonly #withLock: WithLock;
  readonly #onNote: ((text: string) => void) | undefined;
  /** A private copy, if the home is read-only. */
  #copy: Promise<string> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, withLock: WithLock, onNote?: (text: string) => void) {
    this.#folder = folder;
    this.#withLock = withLock;
    this.#onNote = onNote;
  }

  /** Runs `work` with the database. A damaged database is deleted, and this throws `IndexLost`. */
  async use<T>(work: Work<T>): Promise<T> {
    if (this.#copy === undefined) {
      try {
        await makeFolder(this.#folder);
        return await this.#withLock(() => useAt(this.#folder, work));
      } catch (error) {
        if (!isUnwritable(error)) throw error;
      }
    }
    this.#copy ??= this.#copyAside();
    const folder = await this.#copy;
    const result = this.#last.then(() => useAt(folder, work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    if (this.#copy !== undefined) await rm(await this.#copy, { recursive: true, force: true });
  }

  async #copyAside(): Promise<string> {
    this.#onNote?.("the home is read-only: its index is updated in a temporary copy");
    const folder = await mkdtemp(join(tmpdir(), "dragoman-index-"));
    // A command whose output is no longer read ends without closing anything.
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    for (const name of [FILE, `${FILE}-wal`]) {
      await fallbackIfMissing(copyFile(join(this.#folder, name), join(folder, name)), undefined);
    }
    const copied = cp(join(this.#folder, TEXTS), join(folder, TEXTS), { recursive: true });
    await fallbackIfMissing(copied, undefined);
    return folder;
  }
}

async function useAt<T>(folder: string, work: Work<T>): Promise<T> {
  const { default: sqlite } = await import("node-sqlite3-wasm");
  const path = join(folder, FILE);
  // A killed process may have left it; the holder of our lock has no competitor.
  rmSync(`${path}.lock`, { recursive: true, force: true });
  try {
    return await withDatabase(new sqlite.Database(path), join(folder, TEXTS), work);
  } catch (error) {
    const isDamage =
      error instanceof sqlite.SQLite3Error ||
      error instanceof DamagedRow ||
      error instanceof DamagedSegment ||
      error instanceof OtherVersion;
    if (!isDamage) throw error;
    for (const name of [FILE, `${FILE}-wal`, TEXTS]) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
    throw new IndexLost(error.message, { cause: error });
  }
}

async function withDatabase<T>(db: Database, texts: string, work: Work<T>): Promise<T> {
  try {
    db.exec(SETTINGS);
    const version = numberIn(db.get("PRAGMA user_version") ?? {}, "user_version");
    if (version === 0) await create(db, texts);
    else if (version !== VERSION) throw new OtherVersion(`it has version ${version}, not ${VERSION}`);
    return await work(db, texts);
  } finally {
    db.close();
  }
}

/** Segments may be left of an index whose database was deleted. */
async function create(db: Database, texts: string): Promise<void> {
  await rm(texts, { recursive: true, force: true });
  await mkdir(texts, { mode: 0o700 });
  await transaction(db, () => db.exec(SCHEMA));
}

/** `work` may let the process do other things in between: only the holder of the lock uses the database. */
export async function transaction<T>(db: Database, work: () => T | Promise<T>): Promise<T> {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = await work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
