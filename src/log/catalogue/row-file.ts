import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { systemCode } from "../files/disk-error.js";
import { changeIn, changesOf, DamagedIndex, END, headerLine, lineOf, nonceIn } from "./row-lines.js";
import { type Change, Rows } from "./rows.js";

/** The file is written anew when it has so many lines more than twice as many as there are rows. */
const SLACK_LINES = 1000;
const HEADER_BYTES = 200;
const LF = 0x0a;

/**
 * The rows of the index: a file of lines that is appended to, and its content in memory. Other processes append too, so it is
 * used only under the index's lock, and after `refresh`.
 */
export class RowFile {
  readonly #path: string;
  #rows = new Rows();
  #nonce: string | undefined;
  /** Up to where the file has been read: the end of the last complete changes. */
  #end = 0;
  #lines = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get rows(): Rows {
    return this.#rows;
  }

  /** Reads what other processes have appended. False if there is no file. */
  refresh(): boolean {
    const file = openedToRead(this.#path);
    if (file === undefined) {
      this.#forget();
      return false;
    }
    try {
      const { size } = fstatSync(file);
      const nonce = nonceIn(firstLine(file, size));
      if (nonce !== this.#nonce || size < this.#end) this.#forget();
      this.#nonce = nonce;
      if (size > this.#end) this.#read(file, size);
      return true;
    } finally {
      closeSync(file);
    }
  }

  /** Appends changes that belong together: all of them count, or, if the process is killed, none. */
  commit(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    const bytes = Buffer.from(`${[...changes.map(lineOf), END].join("\n")}\n`);
    const file = openSync(this.#path, "r+");
    try {
      // What a killed process began to write.
      if (fstatSync(file).size > this.#end) ftruncateSync(file, this.#end);
      writeAll(file, bytes, this.#end);
    } finally {
      closeSync(file);
    }
    this.#end += bytes.length;
    this.#lines += changes.length;
    for (const change of changes) this.#rows.apply(change);
    if (this.#lines > 2 * this.#rows.count + SLACK_LINES) this.writeAnew();
  }

  /** Writes a file with the present rows, and nothing else. */
  writeAnew(): void {
    const nonce = randomUUID();
    const lines = [headerLine(nonce), ...[...changesOf(this.#rows)].map(lineOf), END];
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    const aside = `${this.#path}.new`;
    const file = openSync(aside, "w", 0o600);
    try {
      writeAll(file, bytes, 0);
    } finally {
      closeSync(file);
    }
    renameSync(aside, this.#path);
    this.#nonce = nonce;
    this.#end = bytes.length;
    this.#lines = this.#rows.count;
  }

  #forget(): void {
    this.#rows = new Rows();
    this.#nonce = undefined;
    this.#end = 0;
    this.#lines = 0;
  }

  #read(file: number, size: number): void {
    const isWhole = this.#end === 0;
    const bytes = Buffer.allocUnsafe(size - this.#end);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(file, bytes, length, bytes.length - length, this.#end + length);
      if (count === 0) break;
      length += count;
    }
    const marker = Buffer.from(`\n${END}\n`);
    const last = bytes.subarray(0, length).lastIndexOf(marker);
    if (last === -1) {
      if (isWhole) throw new DamagedIndex("it is cut off");
      return;
    }
    const ends = last + marker.length;
    for (let at = isWhole ? bytes.indexOf(LF) + 1 : 0; at < ends; ) {
      const end = bytes.indexOf(LF, at);
      const line = bytes.toString("utf8", at, end);
      if (line !== END) {
        this.#rows.apply(changeIn(line));
        this.#lines += 1;
      }
      at = end + 1;
    }
    this.#end += ends;
  }
}

function openedToRead(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function firstLine(file: number, size: number): string {
  const bytes = Buffer.alloc(Math.min(HEADER_BYTES, size));
  const end = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)).indexOf(LF);
  if (end === -1) throw new DamagedIndex("it is not an index");
  return bytes.toString("utf8", 0, end);
}

function writeAll(file: number, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, from + at);
}
