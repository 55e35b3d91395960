import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../core/ids.js";
import { systemFailure } from "./system-error.js";

/** Writes the full text of an output that is too long to show to a file. A short output makes no file. */
export class Spill {
  readonly #folder: string;
  readonly #shown: number;
  readonly #room: number;
  #pending: string[] = [];
  #length = 0;
  #file: { path: string; handle: FileHandle } | undefined;
  #written = 0;
  #writing: Promise<void> = Promise.resolve();
  /** The output exceeded the file's size limit. */
  overflowed = false;

  constructor(folder: string, shownCharacters: number, maxBytes: number) {
    this.#folder = folder;
    this.#shown = shownCharacters;
    this.#room = maxBytes;
  }

  get path(): string | undefined {
    return this.#file?.path;
  }

  /** Pieces are written one at a time, in order. */
  push(text: string): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(text));
    return this.#writing;
  }

  async #write(text: string): Promise<void> {
    this.#length += text.length;
    this.#pending.push(text);
    if (this.#length <= this.#shown) return;
    const bytes = Buffer.from(this.#pending.join(""));
    this.#pending = [];
    const kept = bytes.subarray(0, this.#room - this.#written);
    if (kept.length < bytes.length) this.overflowed = true;
    if (kept.length === 0) return;
    try {
      this.#file ??= await create(this.#folder);
      await this.#file.handle.writeFile(kept);
    } catch (error) {
      throw systemFailure("cannot write the output to a file", error);
    }
    this.#written += kept.length;
  }

  async close(): Promise<void> {
    await this.#file?.handle.close();
  }
}

async function create(folder: string): Promise<{ path: string; handle: FileHandle }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `exec-${newId()}.txt`);
  return { path, handle: await open(path, "wx", 0o600) };
}
