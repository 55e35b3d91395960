import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError, wordsOf } from "../../core/error.js";
import type { Baileys } from "./client.js";

/** JSON files by name. Writes to one file happen in order, and reads see the last write. */
export class JsonFiles {
  readonly #folder: string;
  readonly #json: Baileys["BufferJSON"];
  readonly #writing = new Map<string, Promise<void>>();
  #count = 0;
  #isClosed = false;

  private constructor(folder: string, json: Baileys["BufferJSON"]) {
    this.#folder = folder;
    this.#json = json;
  }

  /** Creates the folder, private to its owner. */
  static async open(folder: string, json: Baileys["BufferJSON"]): Promise<JsonFiles> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new JsonFiles(folder, json);
  }

  async names(): Promise<string[]> {
    const files = await readdir(this.#folder);
    return files
      .filter((file) => file.endsWith(".json"))
      .map((file) => decodeURIComponent(file.slice(0, -5)));
  }

  async read(name: string) {
    await this.#writing.get(name);
    const path = this.#path(name);
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text, this.#json.reviver);
    } catch (error) {
      throw new DragomanError("channel/bad-settings", `${path} is damaged: ${wordsOf(error)}`, {
        hint: "restore it from a backup, or link the device again: dragoman channels remove whatsapp --files",
      });
    }
  }

  /** Without a value, deletes the file. */
  write(name: string, value: unknown): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const before = this.#writing.get(name) ?? Promise.resolve();
    const text =
      value === null || value === undefined ? undefined : JSON.stringify(value, this.#json.replacer);
    const writing = before.catch(() => undefined).then(() => this.#replace(this.#path(name), text));
    this.#writing.set(name, writing);
    return writing.finally(() => {
      if (this.#writing.get(name) === writing) this.#writing.delete(name);
    });
  }

  /** Resolves when everything is written. Later writes are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#writing.values());
  }

  async #replace(path: string, text: string | undefined): Promise<void> {
    if (text === undefined) return rm(path, { force: true });
    const unfinished = join(this.#folder, `~${this.#count++}`);
    const file = await open(unfinished, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  }

  /** Ids contain colons and slashes. */
  #path(name: string): string {
    return join(this.#folder, `${encodeURIComponent(name)}.json`);
  }
}
