import { createReadStream } from "node:fs";
import { open, readdir, rename, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { LF } from "../../framing/bytes.js";
import type { Archive, ArchivedSession, KeptNames } from "../copies/archive.js";
import { canonicalKey } from "../key.js";
import { Locks } from "../locks/lock.js";
import type { Store } from "../store.js";
import type { Position } from "../types.js";
import { fallbackIfMissing, readFailure, writeFailure } from "./disk-error.js";
import { DueMarks } from "./due-marks.js";
import { makeFolder, syncFolder } from "./folder.js";
import { HomeLog } from "./home.js";
import { KeyPointers } from "./key-pointers.js";
import { Leases } from "./leases.js";
import { openLines } from "./line-files.js";
import { allSessions, sessionsFolder } from "./session-files.js";

const BLOCK_BYTES = 1024 * 1024;
/** A copy that is not complete. It is not listed, and a later copy continues it. */
const UNFINISHED = ".copy";

/** The raw contents of a home's files. */
export class FileArchive implements Archive {
  readonly #home: string;
  readonly #lines: Pick<Store, "lineNames">;
  readonly #locks: Locks;
  readonly #pointers: KeyPointers;
  readonly #due: DueMarks;

  constructor(home: string) {
    this.#home = home;
    this.#lines = openLines(home);
    this.#locks = new Locks(join(home, "locks"));
    this.#pointers = new KeyPointers(home, this.#locks);
    this.#due = new DueMarks(home, new Leases(this.#locks));
  }

  /** Opening a session sets aside a last line that a killed process has not finished. */
  async *sessions(): AsyncGenerator<ArchivedSession> {
    const log = new HomeLog(this.#home, { locks: this.#locks });
    const found: ArchivedSession[] = [];
    for await (const { id, agent, foreign } of allSessions(this.#home)) {
      if (foreign) continue;
      const session = await log.open(id);
      found.push({ id, agent, size: await session.end() });
      await session.close();
    }
    yield* found.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  async *read(session: Omit<ArchivedSession, "size">, from: Position): AsyncGenerator<Uint8Array> {
    const { path } = this.#pathsOf(session);
    let held = Buffer.alloc(0);
    try {
      for await (const block of createReadStream(path, { start: from, highWaterMark: BLOCK_BYTES })) {
        held = Buffer.concat([held, block]);
        const end = held.lastIndexOf(LF) + 1;
        if (end > 0) yield held.subarray(0, end);
        held = held.subarray(end);
      }
    } catch (error) {
      throw readFailure(path, error);
    }
  }

  async endOf(session: Omit<ArchivedSession, "size">): Promise<Position | undefined> {
    const { path, unfinished } = this.#pathsOf(session);
    for (const one of [path, unfinished]) {
      const found = await fallbackIfMissing(stat(one), undefined);
      if (found !== undefined) return found.size;
    }
    return undefined;
  }

  async write(session: Omit<ArchivedSession, "size">, from: Position, lines: Uint8Array): Promise<void> {
    const { folder, path, unfinished } = this.#pathsOf(session);
    const target = (await fallbackIfMissing(stat(path), undefined)) === undefined ? unfinished : path;
    try {
      await makeFolder(folder);
      const file = await open(target, from === 0 ? "w" : "r+", 0o600);
      try {
        await file.write(lines, 0, lines.length, from);
        await file.datasync();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw writeFailure(target, error);
    }
  }

  async publish(session: Omit<ArchivedSession, "size">): Promise<void> {
    const { folder, path, unfinished } = this.#pathsOf(session);
    await fallbackIfMissing(rename(unfinished, path), undefined);
    await syncFolder(folder);
  }

  async *keys(): AsyncGenerator<readonly [string, string]> {
    const keys = new Set<string>();
    for await (const { header } of allSessions(this.#home)) {
      if (header?.key !== undefined) keys.add(canonicalKey(header.key));
    }
    for (const key of [...keys].sort()) {
      const id = await this.#pointers.find(key);
      if (id !== undefined) yield [key, id];
    }
  }

  async point(key: string, session: string): Promise<void> {
    if ((await this.#pointers.find(key)) === session) return;
    await this.#pointers.withKeyLock(key, () => this.#pointers.point(key, session));
  }

  markDue(session: string): Promise<void> {
    return this.#due.mark(session);
  }

  due(): Promise<string[]> {
    return this.#due.list();
  }

  /** Cells and journals are files in an account's folder, groups of values are folders in it. */
  async kept(): Promise<KeptNames> {
    const lines = await this.#lines.lineNames("usage");
    const names: KeptNames = { cells: ["tokens"], journals: [], values: [], lines };
    const folder = join(this.#home, "channels");
    const options = { recursive: true, withFileTypes: true } as const;
    for (const entry of await fallbackIfMissing(readdir(folder, options), [])) {
      if (!entry.isFile()) continue;
      const parent = relative(this.#home, entry.parentPath).split(sep).join("/");
      const [name = "", suffix] = entry.name.split(/\.(jsonl?)$/);
      if (suffix === "jsonl") names.journals.push(`${parent}/${name}`);
      else if (suffix === "json" && parent.split("/").length === 3 && name === "people") {
        names.cells.push(`${parent}/${name}`);
      } else if (suffix === "json" && !names.values.includes(parent)) names.values.push(parent);
    }
    return names;
  }

  #pathsOf({ id, agent }: Omit<ArchivedSession, "size">) {
    const folder = sessionsFolder(this.#home, agent);
    const path = join(folder, `${id}.jsonl`);
    return { folder, path, unfinished: `${path}${UNFINISHED}` };
  }
}
