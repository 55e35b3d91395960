import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "node-sqlite3-wasm";
import { makeFolder } from "../folder.js";
import { DamagedRow, numberIn } from "./row.js";
import { SCHEMA, VERSION } from "./schema.js";
import type { WithLock } from "./types.js";

/** Exclusive, because with locks of its own SQLite in WebAssembly would not mend a log after a crash; see decision 7. */
const SETTINGS = `
PRAGMA locking_mode = exclusive;
PRAGMA journal_mode = wal;
PRAGMA synchronous = off;
PRAGMA cache_size = -16000;
`;

/** The database was not usable and has been deleted. What it held can be had from the logs. */
export class IndexLost extends Error {}

class OtherVersion extends Error {}

/** The database of the index. Nobody has it open but the one who holds its lock. */
export class Store {
  readonly #folder: string;
  readonly #path: string;
  readonly #withLock: WithLock;

  constructor(folder: string, withLock: WithLock) {
    this.#folder = folder;
    this.#path = join(folder, "sessions.db");
    this.#withLock = withLock;
  }

  /** Does something with the database. If that shows it to be damaged, it is deleted and this throws `IndexLost`. */
  async hold<T>(work: (db: Database) => T): Promise<T> {
    const { default: sqlite } = await import("node-sqlite3-wasm");
    await makeFolder(this.#folder);
    return this.#withLock(async () => {
      // What a holder that was killed left behind: whoever holds our lock is alone.
      await rm(`${this.#path}.lock`, { recursive: true, force: true });
      try {
        return withDatabase(new sqlite.Database(this.#path), work);
      } catch (error) {
        const isDamage =
          error instanceof sqlite.SQLite3Error ||
          error instanceof DamagedRow ||
          error instanceof OtherVersion;
        if (!isDamage) throw error;
        await rm(this.#path, { recursive: true, force: true });
        await rm(`${this.#path}-wal`, { recursive: true, force: true });
        throw new IndexLost(error.message, { cause: error });
      }
    });
  }
}

function withDatabase<T>(db: Database, work: (db: Database) => T): T {
  try {
    db.exec(SETTINGS);
    const version = numberIn(db.get("PRAGMA user_version") ?? {}, "user_version");
    if (version === 0) transaction(db, () => db.exec(SCHEMA));
    else if (version !== VERSION) throw new OtherVersion(`it is of version ${version}, not ${VERSION}`);
    return work(db);
  } finally {
    db.close();
  }
}

/** All of it or nothing. */
export function transaction(db: Database, work: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    work();
    db.exec("COMMIT");
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
