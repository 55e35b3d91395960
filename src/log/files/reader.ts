import { type FileHandle, open } from "node:fs/promises";
import { LineSplitter } from "../../framing/lines.js";
import { entryOf } from "../entry.js";
import { badPosition, replaced } from "../refusals.js";
import { MAX_LINE_BYTES } from "../serialise.js";
import type { Entry, Position, ReadOptions } from "../types.js";
import { endOfLines, isLineStart, linesBackwards } from "./backwards.js";
import { readFailure } from "./disk-error.js";
import { type FileIdentity, isSame, type KnownTail } from "./known-tail.js";

const BLOCK_BYTES = 64 * 1024;

/** A session's file, for its readers. */
export interface ReadSource {
  session: string;
  path: string;
  /** Where this process is writing lines that may be rolled back; undefined while it is not. */
  uncommitted(): Position | undefined;
  tail: KnownTail;
}

/** Reads a session forwards to its end, repeatedly as it grows. */
export class EntryReader {
  readonly #source: ReadSource;
  readonly #onBadLine: ReadOptions["onBadLine"];
  #position: Position;
  /** The number of the next line, if it was counted from the beginning. */
  #line: number | undefined;
  #file: FileIdentity | undefined;

  constructor(source: ReadSource, { from = 0, onBadLine }: ReadOptions) {
    this.#source = source;
    this.#onBadLine = onBadLine;
    this.#position = from;
    this.#line = from === 0 ? 1 : undefined;
  }

  async *toEnd(): AsyncGenerator<Entry, void, undefined> {
    const known = this.#knownLines();
    if (known !== undefined) {
      for (const { bytes } of known.length === 0 ? [] : new LineSplitter().push(known)) {
        const entry = this.#parseLine(bytes);
        if (entry !== undefined) yield entry;
      }
      return;
    }
    const file = await openToRead(this.#source.path);
    try {
      const identity = await this.#checkFile(file);
      const splitter = new LineSplitter({ maxLineBytes: MAX_LINE_BYTES });
      const block = new Uint8Array(BLOCK_BYTES);
      for (let at = this.#position; ; ) {
        const { bytesRead } = await file.read(block, 0, block.length, at);
        const end = Math.min(at + bytesRead, this.#source.uncommitted() ?? Number.POSITIVE_INFINITY);
        if (end <= at) {
          // What follows the last complete line may be torn.
          if (at === this.#position) this.#source.tail.reach(identity, at);
          return;
        }
        for (const { bytes } of splitter.push(block.subarray(0, end - at))) {
          const entry = this.#parseLine(bytes);
          if (entry !== undefined) yield entry;
        }
        if (splitter.failure !== undefined) throw splitter.failure;
        at = end;
      }
    } finally {
      await file.close();
    }
  }

  /** The rest of the file, if it needs not be read. */
  #knownLines(): Uint8Array | undefined {
    const { tail, uncommitted } = this.#source;
    const known = tail.end(uncommitted());
    if (known === undefined || (this.#file !== undefined && !isSame(this.#file, known))) return undefined;
    const lines = tail.from(this.#position, known.end);
    if (lines !== undefined) this.#file = known;
    return lines;
  }

  #parseLine(bytes: Uint8Array): Entry | undefined {
    const position = this.#position;
    const next = position + bytes.length + 1;
    const entry = entryOf({ bytes, position, next, line: this.#line });
    this.#position = next;
    if (this.#line !== undefined) this.#line += 1;
    if (entry === undefined || "message" in entry) return entry;
    this.#onBadLine?.(entry);
    return undefined;
  }

  async #checkFile(file: FileHandle): Promise<FileIdentity> {
    const { dev, ino } = await file.stat();
    const before = this.#file;
    const identity = { dev, ino };
    this.#file = identity;
    if (before !== undefined && !isSame(before, identity)) {
      throw replaced(this.#source.path, "was replaced by another file while it was read");
    }
    if (await isLineStart(file, this.#position)) return identity;
    if (before === undefined) throw badPosition(this.#source.session, this.#position);
    throw replaced(this.#source.path, "was changed by another program while it was read");
  }
}

/** The last messages before a position, or before the end. */
export async function lastEntries(
  source: ReadSource,
  count: number,
  { before, onBadLine }: { before?: Position; onBadLine?: ReadOptions["onBadLine"] },
): Promise<Entry[]> {
  const known = count === 1 && before === undefined ? source.tail.end(source.uncommitted()) : undefined;
  const line = known === undefined ? undefined : source.tail.last(known.end);
  const last = line === undefined ? undefined : entryOf(line);
  if (last !== undefined && "message" in last) return [last];
  return withFile(source.path, async (file) => {
    if (before !== undefined && !(await isLineStart(file, before))) throw badPosition(source.session, before);
    const entries: Entry[] = [];
    if (count <= 0) return entries;
    const end = before ?? (await committedSize(source, file));
    for await (const line of linesBackwards(file, end)) {
      const entry = entryOf(line);
      if (entry === undefined) continue;
      if (!("message" in entry)) onBadLine?.(entry);
      else if (entries.push(entry) >= count) break;
    }
    return entries.reverse();
  });
}

/** The end of the last complete line. */
export async function endOf(source: ReadSource): Promise<Position> {
  const known = source.tail.end(source.uncommitted());
  if (known !== undefined) return known.end;
  return withFile(source.path, async (file) => endOfLines(file, await committedSize(source, file)));
}

/** The file's size without what this process is still writing. Its last line may be torn. */
async function committedSize({ uncommitted }: ReadSource, file: FileHandle): Promise<Position> {
  const { size } = await file.stat();
  return Math.min(size, uncommitted() ?? size);
}

/** Opens a file to read, and closes it after `use`. */
export async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openToRead(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (error) {
    throw readFailure(path, error);
  }
}
