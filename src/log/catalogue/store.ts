import { rmSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fallbackIfMissing, isUnwritable } from "../files/disk-error.js";
import { makeFolder } from "../files/folder.js";
import { RowFile } from "./row-file.js";
import { DamagedIndex } from "./row-lines.js";
import type { Change, Rows } from "./rows.js";
import { DamagedSegment } from "./text/segment-file.js";
import type { WithLock } from "./types.js";

/** The index was not usable and has been deleted. It can be rebuilt from the logs. */
export class IndexLost extends Error {}

const FILE = "sessions.rows";
const TEXTS = "texts";
/** The files of earlier versions. */
const EARLIER = ["sessions.db", "sessions.db-wal", "sessions.db-shm", "sessions.db.lock"];

/** The index while its lock is held. */
export interface OpenIndex {
  rows: Rows;
  /** The folder of the text index's segments. */
  texts: string;
  /** Makes changes that belong together: all of them count, or, if the process is killed, none. */
  commit(changes: readonly Change[]): void;
}

/** The index's files. Only the holder of its lock reads and writes them. */
export class Store {
  readonly #withLock: WithLock;
  readonly #onNote: ((text: string) => void) | undefined;
  readonly #folder: IndexFolder;
  /** A private copy, if the home is read-only. */
  #copy: Promise<IndexFolder> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, withLock: WithLock, onNote?: (text: string) => void) {
    this.#folder = new IndexFolder(folder);
    this.#withLock = withLock;
    this.#onNote = onNote;
  }

  /** Runs `work` with the index. A damaged index is deleted, and this throws `IndexLost`. */
  async use<T>(work: (index: OpenIndex) => T | Promise<T>): Promise<T> {
    if (this.#copy === undefined) {
      try {
        await makeFolder(this.#folder.path);
        return await this.#withLock(() => this.#folder.use(work));
      } catch (error) {
        if (!isUnwritable(error)) throw error;
      }
    }
    this.#copy ??= this.#copyAside();
    const copy = await this.#copy;
    const result = this.#last.then(() => copy.use(work));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    if (this.#copy !== undefined) await rm((await this.#copy).path, { recursive: true, force: true });
  }

  async #copyAside(): Promise<IndexFolder> {
    this.#onNote?.("the home is read-only: its index is updated in a temporary copy");
    const folder = await mkdtemp(join(tmpdir(), "dragoman-index-"));
    // A command whose output is no longer read ends without closing anything.
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const from = this.#folder.path;
    await fallbackIfMissing(copyFile(join(from, FILE), join(folder, FILE)), undefined);
    await fallbackIfMissing(cp(join(from, TEXTS), join(folder, TEXTS), { recursive: true }), undefined);
    return new IndexFolder(folder);
  }
}

class IndexFolder {
  readonly path: string;
  readonly #texts: string;
  #file: RowFile;

  constructor(path: string) {
    this.path = path;
    this.#texts = join(path, TEXTS);
    this.#file = new RowFile(join(path, FILE));
  }

  async use<T>(work: (index: OpenIndex) => T | Promise<T>): Promise<T> {
    try {
      const file = this.#file;
      if (!file.refresh()) await this.#create(file);
      return await work({
        rows: file.rows,
        texts: this.#texts,
        commit: (changes) => file.commit(changes),
      });
    } catch (error) {
      if (!(error instanceof DamagedIndex || error instanceof DamagedSegment)) throw error;
      await this.#remove([FILE, TEXTS]);
      throw new IndexLost(error.message, { cause: error });
    }
  }

  /** Segments may be left of an index whose rows were deleted. */
  async #create(file: RowFile): Promise<void> {
    await this.#remove([TEXTS, ...EARLIER]);
    await mkdir(this.#texts, { mode: 0o700 });
    file.writeAnew();
  }

  async #remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(this.path, name), { recursive: true, force: true });
  }
}
