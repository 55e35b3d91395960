import { copyFileSync, existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import sqlite from "node-sqlite3-wasm";
import { afterEach } from "vitest";
import { temporaryFolder } from "./temporary-folder.js";

const open = new Set<sqlite.Database>();

afterEach(() => {
  for (const db of open) db.close();
  open.clear();
});

/** A SQLite database with a write-ahead log, as a running program has it. */
export interface LiveDatabase {
  /** The copy that tests read. */
  path: string;
  db: sqlite.Database;
  /** Copies the file and its log as they are, with a time in the past. */
  publish(): void;
}

/** The program has the original: SQLite in WebAssembly could not share it. */
export function liveDatabase(path: string, pageSize = 4096): LiveDatabase {
  const folder = join(temporaryFolder(), "live");
  mkdirSync(folder);
  const original = join(folder, "live.db");
  const db = new sqlite.Database(original);
  open.add(db);
  db.exec(`PRAGMA page_size = ${pageSize}; PRAGMA locking_mode = exclusive; PRAGMA journal_mode = wal;`);
  db.exec("PRAGMA wal_autocheckpoint = 0");
  let published = 0;
  const publish = () => {
    published += 1;
    for (const end of ["", "-wal"]) {
      if (!existsSync(original + end)) continue;
      copyFileSync(original + end, path + end);
      utimesSync(path + end, published, published);
    }
  };
  return { path, db, publish };
}
