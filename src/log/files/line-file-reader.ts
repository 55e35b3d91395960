import { type FileHandle, open } from "node:fs/promises";
import { DragomanError } from "../../core/error.js";
import { decodeLine, type Line, LineSplitter } from "../../framing/lines.js";
import type { LineReader, LineReaderOptions } from "../store.js";
import { fallbackIfMissing, readFailure } from "./disk-error.js";

const BLOCK_BYTES = 256 * 1024;

/** Reads a file, and later what was added to it. */
export class LineFileReader implements LineReader {
  readonly #path: string;
  readonly #options: LineReaderOptions;
  #splitter = new LineSplitter();
  #position = 0;
  #ino: number | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string, options: LineReaderOptions) {
    this.#path = path;
    this.#options = options;
  }

  readNew(): Promise<void> {
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(): Promise<void> {
    try {
      const file = await fallbackIfMissing(open(this.#path, "r"), undefined);
      if (file === undefined) return this.#restart(undefined);
      try {
        const { size, ino } = await file.stat();
        if (ino !== this.#ino || size < this.#position) this.#restart(ino);
        await this.#readTo(file, size);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw readFailure(this.#path, error);
    }
  }

  #restart(ino: number | undefined): void {
    if (this.#position > 0) this.#options.reset();
    this.#splitter = new LineSplitter();
    this.#position = 0;
    this.#ino = ino;
  }

  async #readTo(file: FileHandle, end: number): Promise<void> {
    while (this.#position < end) {
      const block = new Uint8Array(Math.min(BLOCK_BYTES, end - this.#position));
      const { bytesRead } = await file.read(block, 0, block.length, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      for (const line of this.#splitter.push(block.subarray(0, bytesRead))) {
        // A process that finds a cut-off line ends it, and two may do so at once.
        if (line.bytes.length > 0) this.#options.apply(textOf(line), line.line);
      }
    }
  }
}

function textOf(line: Line): string | undefined {
  try {
    return decodeLine(line);
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}
