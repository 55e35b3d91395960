import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Values } from "../store.js";
import { sweepFolder } from "./aside.js";
import { fallbackIfMissing, readFailure, writeFailure } from "./disk-error.js";
import { makeFolder, namesIn, syncFolder } from "./folder.js";
import { writeWhole } from "./whole-file.js";

const SUFFIX = ".json";

/** Values as files of a folder. Writes to one file happen in order, and a read waits for the writes before it. */
export class ValueFiles implements Values {
  readonly #folder: string;
  readonly #checkLease: () => Promise<void>;
  readonly #writing = new Map<string, Promise<void>>();
  #made: Promise<void> | undefined;

  /** @param checkLease throws `log/fenced` when the lease is lost */
  constructor(folder: string, checkLease: () => Promise<void>) {
    this.#folder = folder;
    this.#checkLease = checkLease;
  }

  async names(): Promise<string[]> {
    await Promise.allSettled(this.#writing.values());
    const files = (await namesIn(this.#folder)).filter((file) => file.endsWith(SUFFIX));
    return files.map((file) => decodeURIComponent(file.slice(0, -SUFFIX.length)));
  }

  async read(name: string): Promise<string | undefined> {
    await this.#writing.get(name)?.catch(() => undefined);
    const path = this.#path(name);
    try {
      return await fallbackIfMissing(readFile(path, "utf8"), undefined);
    } catch (error) {
      throw readFailure(path, error);
    }
  }

  write(name: string, text: string): Promise<void> {
    return this.#enqueue(name, async (path) => {
      this.#made ??= this.#makeFolder();
      await this.#made;
      await writeWhole(path, text);
      await syncFolder(this.#folder);
    });
  }

  remove(name: string): Promise<void> {
    return this.#enqueue(name, (path) => rm(path, { force: true }));
  }

  #enqueue(name: string, work: (path: string) => Promise<void>): Promise<void> {
    const path = this.#path(name);
    const before = this.#writing.get(name) ?? Promise.resolve();
    const writing = before
      .catch(() => undefined)
      .then(() => this.#checkLease())
      .then(() => work(path))
      .catch((error: unknown) => {
        throw writeFailure(path, error);
      })
      .finally(() => {
        if (this.#writing.get(name) === writing) this.#writing.delete(name);
      });
    this.#writing.set(name, writing);
    return writing;
  }

  async #makeFolder(): Promise<void> {
    await makeFolder(this.#folder);
    await sweepFolder(this.#folder);
  }

  /** Names may contain colons and slashes. */
  #path(name: string): string {
    return join(this.#folder, `${encodeURIComponent(name)}${SUFFIX}`);
  }
}
