import { DragomanError } from "../core/error.js";
import { joinBytes, LF, NO_BYTES } from "./bytes.js";
import { decodeUtf8, findBadUtf8 } from "./utf8.js";

/** The longest line a `LineSplitter` accepts by default. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface Line {
  /**
   * The line without its LF; a CR before it stays. Usually a view of its chunk: it keeps the chunk in memory, and changes
   * if you refill the chunk. `new Uint8Array(bytes)` is a copy.
   */
  bytes: Uint8Array;
  /** Counted from 1. */
  line: number;
  /** The byte offset of the line in the source. */
  offset: number;
  /** False only for a last line that has no LF, which may be torn. */
  terminated: boolean;
}

export interface LineOptions {
  /** A longer line is `framing/line-too-long` (default: `MAX_LINE_BYTES`). */
  maxLineBytes?: number;
}

/**
 * Splits bytes into lines at LF, reading each byte once however they are chunked. A leading UTF-8 byte order mark is
 * skipped. No chunk is kept after `push` returns: an unfinished line is copied.
 *
 * Lines before a failure are not lost: `push` returns them, sets `failure`, and the next call throws. Without such lines
 * `push` itself throws.
 *
 * @example
 * const splitter = new LineSplitter();
 * for (const chunk of chunks) for (const line of splitter.push(chunk)) use(decodeLine(line));
 * for (const line of splitter.finish()) use(decodeLine(line));
 */
export class LineSplitter {
  failure: DragomanError | undefined;
  readonly #maxLineBytes: number;
  /** The start of the current line: the first `#heldLength` bytes. The rest is room to grow. */
  #held: Uint8Array = NO_BYTES;
  #heldLength = 0;
  #line = 1;
  #offset = 0;

  constructor(options: LineOptions = {}) {
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  }

  push(chunk: Uint8Array): Line[] {
    if (this.failure !== undefined) throw this.failure;
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      if (this.#heldLength + end - start > this.#maxLineBytes) return this.#fail(lines);
      lines.push(this.#endLine(chunk.subarray(start, end), true));
      start = end + 1;
    }
    if (this.#heldLength + chunk.length - start > this.#maxLineBytes) return this.#fail(lines);
    if (start < chunk.length) this.#append(chunk.subarray(start));
    return lines;
  }

  /** The last line if it has no LF, otherwise nothing. */
  finish(): Line[] {
    if (this.failure !== undefined) throw this.failure;
    if (this.#heldLength === 0) return [];
    const last = this.#endLine(NO_BYTES, false);
    // A lone byte order mark is an empty source, not an empty line.
    return last.bytes.length === 0 ? [] : [last];
  }

  #endLine(tail: Uint8Array, terminated: boolean): Line {
    let bytes = tail;
    if (this.#heldLength > 0) {
      bytes = joinBytes([this.#held.subarray(0, this.#heldLength), tail]);
      this.#held = NO_BYTES;
      this.#heldLength = 0;
    }
    const line = { bytes, line: this.#line, offset: this.#offset, terminated };
    this.#line += 1;
    this.#offset += bytes.length + 1;
    if (line.line === 1 && startsWithBom(bytes)) {
      line.bytes = bytes.subarray(3);
      line.offset = 3;
    }
    return line;
  }

  /** Doubling keeps the copying linear even if every chunk is one byte. */
  #append(bytes: Uint8Array): void {
    const length = this.#heldLength + bytes.length;
    if (length > this.#held.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#held.length));
      larger.set(this.#held);
      this.#held = larger;
    }
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength = length;
  }

  #fail(lines: Line[]): Line[] {
    this.failure = new DragomanError(
      "framing/line-too-long",
      `line ${this.#line} is longer than ${this.#maxLineBytes} bytes`,
      { line: this.#line, hint: "check that this is a file of lines, or raise maxLineBytes" },
    );
    if (lines.length === 0) throw this.failure;
    return lines;
  }
}

function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** The line's text. Malformed UTF-8 is `framing/invalid-utf8` at the first bad byte; nothing is replaced. */
export function decodeLine({ bytes, line, offset }: Pick<Line, "bytes" | "line" | "offset">): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  const bad = findBadUtf8(bytes) ?? { byte: 0, unit: 0 };
  throw new DragomanError(
    "framing/invalid-utf8",
    `line ${line} is not UTF-8: bad byte at offset ${offset + bad.byte} of the input`,
    { line, column: bad.unit + 1, hint: "save the input as UTF-8" },
  );
}

/** The lines of a byte stream, in constant memory. */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
  options?: LineOptions,
): AsyncGenerator<Line, void, undefined> {
  const splitter = new LineSplitter(options);
  for await (const chunk of source) {
    for (const line of splitter.push(chunk)) yield line;
    if (splitter.failure !== undefined) throw splitter.failure;
  }
  for (const line of splitter.finish()) yield line;
}
