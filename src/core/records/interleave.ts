import type { JsonRecord } from "../dialect.js";

/** The remaining lines of a message, and how many other lines come before the next one. */
interface OpenLines {
  lines: JsonRecord[];
  gaps: number[];
  wait: number;
}

/**
 * Writes lines for dialects in which lines of other messages may come between the lines of a message. A decoder notes how
 * many come before each further line (`gaps`), unless there are none:
 *
 *     lines    call 1   progress   call 2   result
 *     answer   call 1              call 2            gaps: [1]
 */
export class LineInterleaver {
  readonly #lines: JsonRecord[] = [];
  readonly #onLine: (line: JsonRecord) => void;
  #open: OpenLines[] = [];

  /** `onLine` is called with each line as soon as it has its place. */
  constructor(onLine: (line: JsonRecord) => void) {
    this.#onLine = onLine;
  }

  /** Adds the lines of a message. `gaps` come from a file and may be anything. */
  add(lines: readonly JsonRecord[], gaps?: unknown): void {
    const first = lines[0];
    if (first === undefined) return;
    this.#push(first);
    if (lines.length > 1) {
      const later = countsIn(gaps);
      const wait = later.shift() ?? 0;
      this.#open.push({ lines: lines.slice(1), gaps: later, wait });
    }
    this.#drain();
  }

  /** Writes the remaining lines of earlier messages, each up to the first line that may come later. */
  flush(mayWait: (line: JsonRecord) => boolean): void {
    for (const open of this.#open) {
      for (let [line] = open.lines; line !== undefined && !mayWait(line); [line] = open.lines)
        this.#pushNext(open);
    }
    this.#drain();
  }

  /** All lines. */
  finish(): JsonRecord[] {
    for (const { lines } of this.#open) for (const line of lines) this.#push(line);
    return this.#lines;
  }

  #push(line: JsonRecord): void {
    this.#lines.push(line);
    this.#onLine(line);
    for (const open of this.#open) open.wait--;
  }

  /** Writes the lines whose turn it is. */
  #drain(): void {
    if (this.#open.length === 0) return;
    for (let due = this.#due(); due !== undefined; due = this.#due()) this.#pushNext(due);
    this.#open = this.#open.filter(({ lines }) => lines.length > 0);
  }

  #pushNext(open: OpenLines): void {
    const line = open.lines.shift();
    if (line !== undefined) this.#push(line);
    open.wait = open.gaps.shift() ?? 0;
  }

  #due(): OpenLines | undefined {
    return this.#open.find(({ lines, wait }) => lines.length > 0 && wait <= 0);
  }
}

/** The counts in a list that comes from a file. */
export function countsIn(list: unknown): number[] {
  return Array.isArray(list) ? list.filter((count) => Number.isInteger(count) && count >= 0) : [];
}
