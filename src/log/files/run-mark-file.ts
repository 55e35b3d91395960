import { existsSync, writeSync } from "node:fs";
import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { RunMark } from "../store.js";
import { fallbackIfMissing } from "./disk-error.js";
import { makeFolder } from "./folder.js";

/** The mark of a run: a file that exists from the run's first message to its last, with the events of the partial answer. */
export class RunMarkFile implements RunMark {
  readonly #path: string;
  readonly #checkLease: () => Promise<void>;
  #file: FileHandle | undefined;
  #end = 0;
  #isEmpty = true;

  /** @param checkLease throws `log/fenced` when the lease is lost */
  constructor(path: string, checkLease: () => Promise<void>) {
    this.#path = path;
    this.#checkLease = checkLease;
  }

  async read(): Promise<string | undefined> {
    // Nearly always there is none. An asynchronous call would cost ten times as much.
    if (!existsSync(this.#path)) return undefined;
    return fallbackIfMissing(readFile(this.#path, "utf8"), undefined);
  }

  async open(): Promise<void> {
    await this.#checkLease();
    await makeFolder(dirname(this.#path));
    this.#file = await open(this.#path, "w", 0o600);
    this.#end = 0;
    this.#isEmpty = true;
  }

  /**
   * A failed write leaves no gap: the next one begins at the same place. The write is synchronous, because it only reaches the
   * system's cache: an asynchronous one would take ten times as long, and a word waits for it.
   */
  async append(text: string): Promise<void> {
    await this.#checkLease();
    const bytes = Buffer.from(text);
    this.#isEmpty = false;
    for (let written = 0; this.#file !== undefined && written < bytes.length; ) {
      written += writeSync(this.#file.fd, bytes, written, bytes.length - written, this.#end + written);
    }
    this.#end += bytes.length;
  }

  async clear(): Promise<void> {
    await this.#checkLease();
    if (!this.#isEmpty) await this.#file?.truncate(0);
    this.#end = 0;
    this.#isEmpty = true;
  }

  async remove(): Promise<void> {
    await this.#checkLease();
    await this.close();
    await rm(this.#path, { force: true });
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}
