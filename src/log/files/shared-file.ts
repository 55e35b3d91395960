import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Locks } from "../locks/lock.js";
import type { Cell, CellCodec } from "../store.js";
import { sweepFolder } from "./aside.js";
import { writeFailure } from "./disk-error.js";
import { makeFolder, syncFolder } from "./folder.js";
import { writeWhole } from "./whole-file.js";

export interface SharedFileOptions<T> {
  path: string;
  locks: Locks;
  /** The lock to hold while it changes. */
  lock: string;
  codec: CellCodec<T>;
}

interface Stamp {
  inode: number;
  modified: number;
  size: number;
}

/**
 * A small file that several processes read and change: it is read again when another process has changed it, and replaced
 * under a lock, as a whole or not at all. Only its owner may read it.
 */
export class SharedFile<T> implements Cell<T> {
  readonly where: string;
  readonly #options: SharedFileOptions<T>;
  #value: T;
  #stamp: Stamp | undefined;

  constructor(options: SharedFileOptions<T>) {
    this.#options = options;
    this.where = options.path;
    this.#value = options.codec.empty;
  }

  async exists(): Promise<boolean> {
    await this.read();
    return this.#stamp !== undefined;
  }

  async read(): Promise<T> {
    const { path, codec } = this.#options;
    const stamp = this.#stampOf(path);
    if (stamp === undefined) this.#value = codec.empty;
    else if (!isSame(this.#stamp, stamp)) this.#value = codec.parse(await readFile(path, "utf8"), path);
    this.#stamp = stamp;
    return this.#value;
  }

  /** An edit that returns its argument writes nothing. */
  async change(edit: (value: T) => T): Promise<T> {
    const { path, locks, lock, codec } = this.#options;
    try {
      await makeFolder(dirname(path));
      await locks.acquire(lock);
    } catch (error) {
      throw writeFailure(path, error);
    }
    try {
      const before = await this.read();
      const after = edit(before);
      if (after !== before) await replaceFile(path, codec.print(after));
      return await this.read();
    } finally {
      await locks.release(lock);
    }
  }

  /** Synchronous, because every request needs it: microseconds, instead of a wait for a thread. */
  #stampOf(path: string): Stamp | undefined {
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) return undefined;
    const { ino, mtimeMs, size, mode } = info;
    // Reading a pipe would block forever.
    if (!info.isFile()) {
      throw this.#options.codec.refuse(path, "it is not a file", `move "${path}" away and start again`);
    }
    if (process.platform !== "win32" && (mode & 0o022) !== 0) {
      throw this.#options.codec.refuse(
        path,
        "other users can write to it",
        `run \`chmod 600 "${path}"\` and check its contents`,
      );
    }
    return { inode: ino, modified: mtimeMs, size };
  }
}

function isSame(one: Stamp | undefined, other: Stamp): boolean {
  return one?.inode === other.inode && one.modified === other.modified && one.size === other.size;
}

/** Replaces a file, whole or not at all, durably. Throws a DragomanError. */
export async function replaceFile(path: string, text: string): Promise<void> {
  try {
    await sweepFolder(dirname(path));
    await writeWhole(path, text);
    await syncFolder(dirname(path));
  } catch (error) {
    throw writeFailure(path, error);
  }
}
