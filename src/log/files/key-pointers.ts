import { existsSync, statSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { agentOf, isSafeId } from "../key.js";
import type { Locks } from "../locks/lock.js";
import { asideName } from "./aside.js";
import { fallbackIfMissing } from "./disk-error.js";
import { exists, makeFolder, syncFolder } from "./folder.js";
import { keyFileName } from "./key-file.js";
import { agentsFolder, type FoundSession, sessionsFolder, sessionsOf } from "./session-files.js";
import { writeWhole } from "./whole-file.js";

/** How many pointers are kept in memory. */
const MAX_READ = 1_000;

/**
 * Which session a key stands for: one small file per key, with the session's id. The files are an index of the sessions'
 * headers, and a deleted folder is rebuilt from those.
 *
 * A file is written just before its session becomes visible. Its second line is the session the key stood for until then,
 * which applies while the first does not exist.
 */
export class KeyPointers {
  readonly #home: string;
  readonly #locks: Locks;
  /** By path. A changed pointer is another file. */
  readonly #read = new Map<string, { ino: number; mtimeMs: number; ids: string[] }>();

  constructor(home: string, locks: Locks) {
    this.#home = home;
    this.#locks = locks;
  }

  async find(key: string): Promise<string | undefined> {
    const agent = agentOf(key);
    const folder = this.#folder(agent);
    const name = keyFileName(key);
    let ids = await this.#idsIn(join(folder, name));
    if (ids === undefined) {
      if ((await exists(folder)) || !(await exists(sessionsFolder(this.#home, agent)))) return undefined;
      await this.#rebuild(agent);
      ids = await this.#idsIn(join(folder, name));
    }
    if (ids === undefined) return undefined;
    for (const id of ids) {
      if (isSafeId(id) && existsSync(join(sessionsFolder(this.#home, agent), `${id}.jsonl`))) return id;
    }
    return (await this.#newestByKey(agent)).get(key)?.id;
  }

  /** Points a key at a session that is about to become visible. Only for the holder of the key's lock. */
  async point(key: string, id: string): Promise<void> {
    const folder = this.#folder(agentOf(key));
    if (!(await exists(folder))) await this.#rebuild(agentOf(key));
    const before = await this.find(key);
    const ids = before === undefined ? [id] : [id, before];
    await writeWhole(join(folder, keyFileName(key)), ids.map((line) => `${line}\n`).join(""));
    await syncFolder(folder);
  }

  /** Runs `work` while no one else changes what a key stands for. */
  withKeyLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.withLock(`key-${keyFileName(key)}`, work);
  }

  /** The sessions in a pointer. One synchronous `stat` shows whether it has changed; reading it takes ten times as long. */
  async #idsIn(path: string): Promise<string[] | undefined> {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const known = this.#read.get(path);
    if (known?.ino === found.ino && known.mtimeMs === found.mtimeMs) return known.ids;
    const ids = await readPointer(path);
    if (this.#read.size >= MAX_READ) this.#read.clear();
    if (ids !== undefined) this.#read.set(path, { ino: found.ino, mtimeMs: found.mtimeMs, ids });
    return ids;
  }

  async #rebuild(agent: string): Promise<void> {
    await this.#locks.withLock(`keys-${agent}`, async () => {
      const folder = this.#folder(agent);
      if (await exists(folder)) return;
      const unfinished = join(dirname(folder), asideName());
      await makeFolder(unfinished);
      for (const [key, { id }] of await this.#newestByKey(agent)) {
        await writeWhole(join(unfinished, keyFileName(key)), `${id}\n`);
      }
      await syncFolder(unfinished);
      await rename(unfinished, folder);
      await syncFolder(join(agentsFolder(this.#home), agent));
    });
  }

  async #newestByKey(agent: string): Promise<Map<string, FoundSession>> {
    const newest = new Map<string, FoundSession>();
    for await (const session of sessionsOf(this.#home, agent)) {
      const key = session.header?.key;
      if (key === undefined) continue;
      const other = newest.get(key);
      if (other === undefined || createdOf(other) <= createdOf(session)) newest.set(key, session);
    }
    return newest;
  }

  #folder(agent: string): string {
    return join(agentsFolder(this.#home), agent, "keys");
  }
}

function createdOf({ header }: FoundSession): number {
  return header?.timestamp ?? 0;
}

async function readPointer(path: string): Promise<string[] | undefined> {
  const text = await fallbackIfMissing(readFile(path, "utf8"), undefined);
  return text?.split("\n").map((line) => line.trim());
}
