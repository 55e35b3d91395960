import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { systemCode } from "../../log/files/disk-error.js";
import { damaged } from "./damaged.js";
import { readAt, readHeader, WalIndex } from "./wal.js";

const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";
/** Pages of one snapshot that stay in memory. */
const CACHED_PAGES = 4096;
/** The time of a file may be this imprecise, so a file that changed later than this may change again unnoticed. */
const QUIET_MS = 50;

/** The log that was read last: a source reads one database many times, and a log only grows until it is started anew. */
let lastLog: { path: string; index: WalIndex } | undefined;

/**
 * The pages of a SQLite database as of one moment, from its file and its write-ahead log. No lock is taken and nothing is
 * written, so the program that owns the database does not notice. Instead, `hasChanged` tells whether that program has
 * replaced any page meanwhile: then what was read is not usable.
 */
export class Snapshot {
  readonly path: string;
  readonly pageSize: number;
  readonly #file: number;
  readonly #logFile: number | undefined;
  readonly #log: WalIndex | undefined;
  readonly #begin: string;
  readonly #pages = new Map<number, Buffer>();
  /** Whether the file has not changed for long enough to notice the next change. */
  readonly isQuiet: boolean;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, "r");
    try {
      this.#begin = this.#state();
      this.isQuiet = Math.abs(Date.now() - fstatSync(this.#file).mtimeMs) >= QUIET_MS && !hasJournal(path);
      this.#logFile = openIfPresent(`${path}-wal`);
      this.#log = this.#logFile === undefined ? undefined : indexOf(path, this.#logFile);
      this.pageSize = this.#log?.pageSize ?? pageSizeIn(readAt(this.#file, 0, HEADER_BYTES), path);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Whether the database has no page at all. */
  get isEmpty(): boolean {
    return this.pageSize === 0;
  }

  /** The size of the file and its log: nothing in them is longer. */
  get bytes(): number {
    return [this.#file, this.#logFile].reduce<number>((sum, file) => sum + sizeOf(file), 0);
  }

  /** Pages are numbered from 1. */
  page(number: number): Buffer {
    const cached = this.#pages.get(number);
    if (cached !== undefined) return cached;
    const inLog = this.#log?.offsets.get(number);
    const bytes =
      inLog === undefined || this.#logFile === undefined
        ? readAt(this.#file, (number - 1) * this.pageSize, this.pageSize)
        : readAt(this.#logFile, inLog, this.pageSize);
    if (number < 1 || bytes.length < this.pageSize) throw damaged(this.path, `page ${number} is missing`);
    if (this.#pages.size >= CACHED_PAGES) this.#pages.clear();
    this.#pages.set(number, bytes);
    return bytes;
  }

  /** Whether pages were copied from the log to the file, or the log was started anew, since the snapshot was made. */
  hasChanged(): boolean {
    if (this.#state() !== this.#begin) return true;
    if (this.#log === undefined) return false;
    return this.#logFile === undefined || !readHeader(this.#logFile).equals(this.#log.header);
  }

  close(): void {
    closeSync(this.#file);
    if (this.#logFile !== undefined) closeSync(this.#logFile);
  }

  #state(): string {
    const { size, mtimeNs } = fstatSync(this.#file, { bigint: true });
    return `${size} ${mtimeNs}`;
  }
}

function indexOf(path: string, file: number): WalIndex | undefined {
  const known = lastLog?.path === path && readHeader(file).equals(lastLog.index.header) ? lastLog : undefined;
  const index = known?.index ?? WalIndex.from(file);
  if (index === undefined) return undefined;
  index.update(file);
  lastLog = { path, index };
  // A log without a complete transaction states nothing, not even the size of pages.
  return index.offsets.size === 0 ? undefined : index;
}

/** A journal contains the pages to restore after an interrupted write: until then the file is not consistent. */
function hasJournal(path: string): boolean {
  return (statSync(`${path}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function sizeOf(file: number | undefined): number {
  return file === undefined ? 0 : fstatSync(file).size;
}

/** Zero for a new database. */
function pageSizeIn(header: Buffer, path: string): number {
  if (header.length === 0) return 0;
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw damaged(path, "it is not a SQLite database");
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}
