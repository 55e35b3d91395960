import { closeSync, fdatasync, fstatSync, mkdirSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { wordsOf } from "../../core/error.js";
import { formatLine } from "../../framing/ndjson.js";
import { writeFailure } from "../../log/files/disk-error.js";
import { monthOf, type UsageRecord } from "./record.js";
import { usagePath } from "./usage-reader.js";

interface OpenFile {
  path: string;
  fd: number;
  dev: number;
  ino: number;
  /** The file does not end with a line feed, because a write was cut off. */
  torn: boolean;
  /** A timer until the next sync. `again`: there was another write while the file was being synced. */
  sync: "idle" | NodeJS.Timeout | "running" | "again";
  closing: boolean;
}

/** How long a record may be only in the system's cache, where it survives the end of this process. */
const SYNC_MS = 100;

/**
 * Appends records to the month's file. Several processes may append to it: each line is one write in append mode, so lines do
 * not mix. The write is synchronous, because it only reaches the system's cache and must survive the end of this process;
 * the disk follows in the background.
 */
export class UsageWriter {
  readonly #folder: string;
  readonly #onNote: (text: string) => void;
  #file: OpenFile | undefined;
  readonly #unwritten: UsageRecord[] = [];
  #written = 0;

  constructor(folder: string, onNote: (text: string) => void) {
    this.#folder = folder;
    this.#onNote = onNote;
  }

  /** How many records were written. */
  get written(): number {
    return this.#written;
  }

  /** The records that could not be written; the next append tries again. */
  get unwritten(): readonly UsageRecord[] {
    return this.#unwritten;
  }

  /** Never throws: an answer must not fail because its usage cannot be stored. */
  append(record: UsageRecord): void {
    this.#unwritten.push(record);
    try {
      for (let next = this.#unwritten[0]; next !== undefined; next = this.#unwritten[0]) {
        this.#write(next);
        this.#unwritten.shift();
        this.#written++;
      }
    } catch (error) {
      const { message } = writeFailure(this.#folder, error);
      this.#onNote(`the usage of ${this.#unwritten.length} call(s) is counted but not stored: ${message}`);
    }
  }

  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    file.closing = true;
    if (file.sync === "idle") closeSync(file.fd);
    else if (typeof file.sync === "object") this.#syncNow(file);
  }

  #write(record: UsageRecord): void {
    const file = this.#open(usagePath(this.#folder, monthOf(record.at)));
    const bytes = Buffer.from(`${file.torn ? "\n" : ""}${formatLine(record)}`);
    for (let written = 0; written < bytes.length; ) {
      file.torn = true;
      written += writeSync(file.fd, bytes, written);
    }
    file.torn = false;
    this.#sync(file);
  }

  /** The file at the path, which another program may have moved or deleted. */
  #open(path: string): OpenFile {
    const found = statSync(path, { throwIfNoEntry: false });
    const file = this.#file;
    if (file?.path === path && found?.ino === file.ino && found.dev === file.dev) return file;
    this.close();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const fd = openSync(path, "a+", 0o600);
    const { dev, ino, size } = fstatSync(fd);
    this.#file = { path, fd, dev, ino, torn: !endsLine(fd, size), sync: "idle", closing: false };
    return this.#file;
  }

  /** Soon, so that many records need one sync, and no answer waits for the disk. */
  #sync(file: OpenFile): void {
    if (file.sync === "running") file.sync = "again";
    else if (file.sync === "idle") file.sync = setTimeout(() => this.#syncNow(file), SYNC_MS).unref();
  }

  #syncNow(file: OpenFile): void {
    if (typeof file.sync === "object") clearTimeout(file.sync);
    file.sync = "running";
    fdatasync(file.fd, (error) => {
      if (error !== null) this.#onNote(`${file.path} may not be on disk: ${wordsOf(error)}`);
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
