import { rmSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "node-sqlite3-wasm";
import { fallbackIfMissing, isUnwritable } from "../files/disk-error.js";
import { makeFolder } from "../files/folder.js";
import { DamagedRow, numberIn } from "./row.js";
import { SCHEMA, VERSION } from "./schema.js";
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

/** The index's database. Only the holder of its lock has it open. */
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
  async use<T>(work: (db: Database) => T | Promise<T>): Promise<T> {
    if (this.#copy === undefined) {
      try {
        await makeFolder(this.#folder);
        return await this.#withLock(() => useAt(join(this.#folder, FILE), work));
      } catch (error) {
        if (!isUnwritable(error)) throw error;
      }
    }
    this.#copy ??= this.#copyAside();
    const path = join(await this.#copy, FILE);
    const result = this.#last.then(() => useAt(path, work));
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
    return folder;
  }
}

async function useAt<T>(path: string, work: (db: Database) => T | Promise<T>): Promise<T> {
  const { default: sqlite } = await import("node-sqlite3-wasm");
  // A killed process may have left it; the holder of our lock has no competitor.
  await rm(`${path}.lock`, { recursive: true, force: true });
  try {
    return await withDatabase(new sqlite.Database(path), work);
  } catch (error) {
    const isDamage =
      error instanceof sqlite.SQLite3Error || error instanceof DamagedRow || error instanceof OtherVersion;
    if (!isDamage) throw error;
    await rm(path, { recursive: true, force: true });
    await rm(`${path}-wal`, { recursive: true, force: true });
    throw new IndexLost(error.message, { cause: error });
  }
}

async function withDatabase<T>(db: Database, work: (db: Database) => T | Promise<T>): Promise<T> {
  try {
    db.exec(SETTINGS);
    const version = numberIn(db.get("PRAGMA user_version") ?? {}, "user_version");
    if (version === 0) await transaction(db, () => db.exec(SCHEMA));
    else if (version !== VERSION) throw new OtherVersion(`it has version ${version}, not ${VERSION}`);
    return await work(db);
  } finally {
    db.close();
  }
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
