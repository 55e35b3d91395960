import { type Stats, statSync } from "node:fs";
import { joinBytes, LF } from "../../framing/bytes.js";
import type { PlacedLine } from "../entry.js";
import type { Position } from "../types.js";

/** A file at a path, as opposed to another one that was put there. */
export type FileIdentity = Pick<Stats, "dev" | "ino">;

/** How much of what was appended last is kept. */
const MAX_BYTES = 64 * 1024;

/**
 * What this process knows of the end of a session's file, for readers that are near it: that a line ends there, and the lines
 * that it appended last. One synchronous `stat` shows whether another process has appended since, so that such a reader does
 * not open the file. An asynchronous call would cost more than the rest.
 */
export class KnownTail {
  readonly #path: string;
  #file: FileIdentity | undefined;
  #end: Position | undefined;
  /** Whole lines, which end at `#end`. */
  #lines: Uint8Array[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** A line of this file ends there, and the file did too. */
  reach(file: FileIdentity, end: Position): void {
    if (this.#end === end && isSame(this.#file, file)) return;
    this.#file = { dev: file.dev, ino: file.ino };
    this.#end = end;
    this.forget();
  }

  /** This process has stored whole lines at the end, which `reach` was called with before. */
  add(lines: Uint8Array): void {
    if (this.#end === undefined) return;
    this.#lines.push(lines);
    this.#bytes += lines.length;
    this.#end += lines.length;
    while (this.#bytes > MAX_BYTES) this.#bytes -= this.#lines.shift()?.length ?? this.#bytes;
  }

  /** Drops the lines from memory. */
  forget(): void {
    this.#lines = [];
    this.#bytes = 0;
  }

  /**
   * The end of the file's lines, if nothing was appended since this process was there. `writingAt`: where this process is
   * writing lines that do not count yet.
   */
  end(writingAt: Position | undefined): (FileIdentity & { end: Position }) | undefined {
    if (this.#end === undefined) return undefined;
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (found === undefined || !isSame(this.#file, found)) return undefined;
    const { dev, ino, size } = found;
    return (writingAt ?? size) === this.#end ? { dev, ino, end: this.#end } : undefined;
  }

  /** The lines from a position to that end; undefined if they are not known, or no line begins there. */
  from(position: Position, end: Position): Uint8Array | undefined {
    const start = end - this.#bytes;
    if (position === end) return new Uint8Array();
    if (!Number.isSafeInteger(position) || position < start || position > end) return undefined;
    const bytes = joinBytes(this.#lines);
    const at = position - start;
    return at === 0 || bytes[at - 1] === LF ? bytes.subarray(at) : undefined;
  }

  /** The last line before that end, if it is known. */
  last(end: Position): PlacedLine | undefined {
    const lines = this.#lines.at(-1);
    if (lines === undefined) return undefined;
    const start = lines.lastIndexOf(LF, lines.length - 2) + 1;
    return { bytes: lines.subarray(start, -1), position: end - (lines.length - start), next: end };
  }
}

export function isSame(file: FileIdentity | undefined, other: FileIdentity): boolean {
  return file?.dev === other.dev && file.ino === other.ino;
}
