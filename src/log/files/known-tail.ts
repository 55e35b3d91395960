import { type Stats, statSync } from "node:fs";
import type { AgentMessage } from "../../core/types.js";
import type { Entry, Place, Position } from "../types.js";

/** A file at a path, as opposed to another one that was put there. */
export type FileIdentity = Pick<Stats, "dev" | "ino">;

/** How much of what was appended last is kept. */
const MAX_ENTRIES = 16;
const MAX_BYTES = 64 * 1024;

/**
 * What this process knows of the end of a session's file, for readers that are near it: that a line ends there, and the last
 * entries that it appended. One synchronous `stat` shows whether another process has appended since, so that such a reader
 * does not open the file. An asynchronous call would cost more than the rest.
 */
export class KnownTail {
  readonly #path: string;
  #file: FileIdentity | undefined;
  #end: Position | undefined;
  /** They end at `#end`. */
  #entries: Entry[] = [];
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

  /** Entries that this process has stored at the end of the file, of which `reach` was called before. */
  add(entries: readonly Entry[]): void {
    const [first] = entries;
    if (first === undefined || this.#file === undefined) return;
    if (first.position !== this.#end) this.forget();
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#bytes += entry.next - entry.position;
      this.#end = entry.next;
    }
    while (this.#entries.length > MAX_ENTRIES || this.#bytes > MAX_BYTES) {
      const dropped = this.#entries.shift();
      if (dropped === undefined) break;
      this.#bytes -= dropped.next - dropped.position;
    }
  }

  /** Drops the entries from memory. */
  forget(): void {
    this.#entries = [];
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

  /** The entries from a position to that end; undefined if they are not known. */
  from(position: Position, end: Position): readonly Entry[] | undefined {
    if (position === end) return [];
    const index = this.#entries.findLastIndex((entry) => entry.position === position);
    return index === -1 ? undefined : this.#entries.slice(index);
  }

  /** The last entry before that end, if it is known. */
  last(): Entry | undefined {
    return this.#entries.at(-1);
  }
}

export function isSame(file: FileIdentity | undefined, other: FileIdentity): boolean {
  return file?.dev === other.dev && file.ino === other.ino;
}

/** The entries of messages that were stored together, each as a line. */
export function entriesAt(
  messages: readonly AgentMessage[],
  lines: readonly Uint8Array[],
  { position }: Place,
): Entry[] {
  let next = position;
  return messages.map((message, index) => {
    const start = next;
    next += lines[index]?.length ?? 0;
    return { message, position: start, next };
  });
}
