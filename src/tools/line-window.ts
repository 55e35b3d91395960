import type { FileHandle } from "node:fs/promises";

/** Some lines out of the middle of a file, as bytes. */
export interface LineWindow {
  readonly bytes: Buffer;
  readonly lines: number;
  /** The first line that is not in the window but could be; undefined at the end of the file. */
  readonly nextLine?: number;
  /** Unknown when the file was too large to be counted to its end. */
  readonly totalLines?: number;
  /** Even the first line is longer than the window: only its beginning is there. */
  readonly cutInLine: boolean;
}

export interface LineWindowOptions {
  /** Counted from 1. */
  firstLine: number;
  maxLines: number;
  maxBytes: number;
  /** How far to read on for the sake of counting. */
  maxCountedBytes: number;
}

const CHUNK_BYTES = 65_536;
const NEWLINE = 10;

/** Reads lines `firstLine` to `firstLine + maxLines`, whole ones as long as possible, keeping no more than the window. */
export async function readLineWindow(
  handle: FileHandle,
  options: LineWindowOptions,
  signal: AbortSignal,
): Promise<LineWindow> {
  const window = new WindowBuilder(options);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return window.finish(true);
    window.push(chunk.subarray(0, bytesRead));
    position += bytesRead;
    if (window.full && position > options.maxCountedBytes) return window.finish(false);
  }
}

class WindowBuilder {
  readonly #options: LineWindowOptions;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  /** How much of it is whole lines. */
  #wholeBytes = 0;
  #wholeLines = 0;
  #line = 1;
  #lineIsEmpty = true;
  #cutInLine = false;
  full = false;

  constructor(options: LineWindowOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline + 1;
      if (!this.full && this.#line >= this.#options.firstLine)
        this.#keep(chunk.subarray(start, end), newline !== -1);
      this.#lineIsEmpty = newline !== -1;
      if (newline !== -1) this.#line++;
      start = end;
    }
  }

  #keep(piece: Buffer, endsLine: boolean): void {
    const room = this.#options.maxBytes - this.#keptBytes;
    if (piece.length > room) {
      this.full = true;
      if (this.#wholeLines > 0) return;
      this.#cutInLine = true;
      this.#add(piece.subarray(0, room));
      return;
    }
    this.#add(piece);
    if (!endsLine) return;
    this.#wholeBytes = this.#keptBytes;
    this.#wholeLines++;
    this.full = this.#wholeLines === this.#options.maxLines;
  }

  #add(piece: Buffer): void {
    // A copy, because the chunk is read into again.
    this.#kept.push(Buffer.from(piece));
    this.#keptBytes += piece.length;
  }

  finish(atEnd: boolean): LineWindow {
    const total = this.#lineIsEmpty ? this.#line - 1 : this.#line;
    const totalLines = atEnd ? { totalLines: total } : {};
    const bytes = Buffer.concat(this.#kept);
    if (this.#cutInLine) {
      const next = this.#options.firstLine + 1;
      const nextLine = atEnd && next > total ? {} : { nextLine: next };
      return { bytes: wholeCharacters(bytes), lines: 1, ...nextLine, ...totalLines, cutInLine: true };
    }
    if (!this.full) {
      const lines = Math.max(0, total - this.#options.firstLine + 1);
      return { bytes, lines, ...totalLines, cutInLine: false };
    }
    const next = this.#options.firstLine + this.#wholeLines;
    const nextLine = atEnd && next > total ? {} : { nextLine: next };
    return {
      bytes: bytes.subarray(0, this.#wholeBytes),
      lines: this.#wholeLines,
      ...nextLine,
      ...totalLines,
      cutInLine: false,
    };
  }
}

/** Without the beginning of a UTF-8 character whose end was cut off. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
