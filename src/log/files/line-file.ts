import { closeSync, fdatasync, fstatSync, mkdirSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { wordsOf } from "../../core/error.js";
import type { LineReader, LineReaderOptions, SharedLines } from "../store.js";
import { writeFailure } from "./disk-error.js";
import { LineFileReader } from "./line-file-reader.js";

interface OpenFile {
  fd: number;
  dev: number;
  ino: number;
  /** The file does not end with a line feed, because a write was cut off. */
  torn: boolean;
  /** A timer until the next sync. `again`: there was another write while the file was being synced. */
  sync: "idle" | NodeJS.Timeout | "running" | "again";
  closing: boolean;
}

/** How long a line may be only in the system's cache, where it survives the end of this process. */
const SYNC_MS = 100;

/**
 * Lines in a file. Several processes may add to it: each line is one write in append mode, so lines do not mix. The write is
 * synchronous, because it only reaches the system's cache and must survive the end of this process; the disk follows in the
 * background.
 */
export class LineFile implements SharedLines {
  readonly where: string;
  readonly #onNote: (text: string) => void;
  #file: OpenFile | undefined;

  constructor(path: string, onNote: (text: string) => void) {
    this.where = path;
    this.#onNote = onNote;
  }

  /** A line that could not be written is not in the file, or is cut off: no line is stored twice. */
  async add(line: string): Promise<void> {
    try {
      const file = this.#open();
      const bytes = Buffer.from(`${file.torn ? "\n" : ""}${line}\n`);
      for (let written = 0; written < bytes.length; ) {
        file.torn = true;
        written += writeSync(file.fd, bytes, written);
      }
      file.torn = false;
      this.#sync(file);
    } catch (error) {
      throw writeFailure(this.where, error);
    }
  }

  reader(options: LineReaderOptions): LineReader {
    return new LineFileReader(this.where, options);
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    file.closing = true;
    if (file.sync === "idle") closeSync(file.fd);
    else if (typeof file.sync === "object") this.#syncNow(file);
  }

  /** The file at the path, which another program may have moved or deleted. */
  #open(): OpenFile {
    const found = statSync(this.where, { throwIfNoEntry: false });
    const file = this.#file;
    if (file !== undefined && found?.ino === file.ino && found.dev === file.dev) return file;
    this.close();
    mkdirSync(dirname(this.where), { recursive: true, mode: 0o700 });
    const fd = openSync(this.where, "a+", 0o600);
    const { dev, ino, size } = fstatSync(fd);
    this.#file = { fd, dev, ino, torn: !endsLine(fd, size), sync: "idle", closing: false };
    return this.#file;
  }

  /** Soon, so that many lines need one sync, and no caller waits for the disk. */
  #sync(file: OpenFile): void {
    if (file.sync === "running") file.sync = "again";
    else if (file.sync === "idle") file.sync = setTimeout(() => this.#syncNow(file), SYNC_MS).unref();
  }

  #syncNow(file: OpenFile): void {
    if (typeof file.sync === "object") clearTimeout(file.sync);
    file.sync = "running";
    fdatasync(file.fd, (error) => {
      if (error !== null) this.#onNote(`${this.where} may not be on disk: ${wordsOf(error)}`);
      const isDirty = file.sync === "again";
      file.sync = "idle";
      if (isDirty && file.closing) this.#syncNow(file);
      else if (isDirty) this.#sync(file);
      else if (file.closing) closeSync(file.fd);
    });
  }
}

const LF = 0x0a;

function endsLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === LF);
}
