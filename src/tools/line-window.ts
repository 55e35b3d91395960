import type { FileHandle } from "node:fs/promises";

/** Consecutive lines of a file, as bytes. */
export interface LineWindow {
  readonly bytes: Buffer;
  readonly lines: number;
  /** The first line after the window; undefined at the end of the file. */
  readonly nextLine?: number;
  /** Unknown for a file that was too large to count to its end. */
  readonly totalLines?: number;
  /** The first line alone is longer than the window, which holds only its beginning. */
  readonly cutInLine: boolean;
}

export interface LineWindowOptions {
  /** Counted from 1. */
  firstLine: number;
  maxLines: number;
  maxBytes: number;
  /** Counting lines stops after this many bytes. */
  maxCountedBytes: number;
}

const CHUNK_BYTES = 65_536;
const NEWLINE = 10;

/** Reads lines from `firstLine` on, whole lines where possible, with only the window in memory. */
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
  /** The part of `#keptBytes` in whole lines. */
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
      this.#cutInLine = this.#wholeLines === 0;
      if (this.#cutInLine) this.#add(piece.subarray(0, room));
      return;
    }
    this.#add(piece);
    if (!endsLine) return;
    this.#wholeBytes = this.#keptBytes;
    this.#wholeLines++;
    this.full = this.#wholeLines === this.#options.maxLines;
  }

  #add(piece: Buffer): void {
    // A copy, because the chunk's buffer is reused.
    this.#kept.push(Buffer.from(piece));
    this.#keptBytes += piece.length;
  }

  finish(atEnd: boolean): LineWindow {
    const total = this.#lineIsEmpty ? this.#line - 1 : this.#line;
    const totalLines = atEnd ? { totalLines: total } : {};
    const all = Buffer.concat(this.#kept);
    const { firstLine } = this.#options;
    const cutInLine = this.#cutInLine;
    if (!this.full) {
      return { bytes: all, lines: Math.max(0, total - firstLine + 1), ...totalLines, cutInLine };
    }
    const lines = cutInLine ? 1 : this.#wholeLines;
    const bytes = cutInLine ? wholeCharacters(all) : all.subarray(0, this.#wholeBytes);
    const nextLine = atEnd && firstLine + lines > total ? {} : { nextLine: firstLine + lines };
    return { bytes, lines, ...nextLine, ...totalLines, cutInLine };
  }
}

/** Drops an incomplete UTF-8 character at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
