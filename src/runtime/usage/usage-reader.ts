import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { decodeLine, type Line, LineSplitter } from "../../framing/lines.js";
import { fallbackIfMissing, readFailure } from "../../log/files/disk-error.js";
import { namesIn } from "../../log/files/folder.js";
import { monthOf, readRecord, type UsageRecord } from "./record.js";

const BLOCK_BYTES = 256 * 1024;

/** `~/.dragoman/usage` */
export function usageFolder(home: string): string {
  return join(home, "usage");
}

/** The file of a month, such as `2026-11`. */
export function usagePath(folder: string, month: string): string {
  return join(folder, `${month}.jsonl`);
}

export interface UsageReaderOptions {
  path: string;
  apply(record: UsageRecord): void;
  /** The file was deleted, replaced or shortened: what was applied no longer counts. */
  reset(): void;
  onNote(text: string): void;
}

/** Reads a month's file, and later what was added to it. */
export class UsageReader {
  readonly #options: UsageReaderOptions;
  #splitter = new LineSplitter();
  #position = 0;
  #ino: number | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: UsageReaderOptions) {
    this.#options = options;
  }

  /** Fulfilled when every line that is in the file now was applied. */
  readNew(): Promise<void> {
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(): Promise<void> {
    const { path } = this.#options;
    try {
      const file = await fallbackIfMissing(open(path, "r"), undefined);
      if (file === undefined) return this.#restart(undefined);
      try {
        const { size, ino } = await file.stat();
        if (ino !== this.#ino || size < this.#position) this.#restart(ino);
        await this.#readTo(file, size);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw readFailure(path, error);
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
      for (const line of this.#splitter.push(block.subarray(0, bytesRead))) this.#applyLine(line);
    }
  }

  #applyLine(line: Line): void {
    // A process that finds a cut-off line ends it, and two may do so at once.
    if (line.bytes.length === 0) return;
    const record = recordIn(line);
    if (record !== undefined) this.#options.apply(record);
    else
      this.#options.onNote(`${this.#options.path}: line ${line.line} is not a usage record; it is skipped`);
  }
}

function recordIn(line: Line): UsageRecord | undefined {
  try {
    return readRecord(parseJson(decodeLine(line)));
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

/** When calls ended, in Unix milliseconds; `until` is not included. */
export interface Period {
  since?: number | undefined;
  until?: number | undefined;
}

/** Applies all stored records of a period, in the order they were stored. */
export async function readUsage(
  folder: string,
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Period,
  { apply, onNote }: Pick<UsageReaderOptions, "apply" | "onNote">,
): Promise<void> {
  const months = (await namesIn(folder)).flatMap((name) => /^(\d{4}-\d{2})\.jsonl$/.exec(name)?.[1] ?? []);
  const first = Number.isFinite(since) ? monthOf(since) : "";
  const last = Number.isFinite(until) ? monthOf(until) : "9999-99";
  for (const month of months.sort()) {
    if (month < first || month > last) continue;
    const reader = new UsageReader({
      path: usagePath(folder, month),
      apply: (record) => {
        if (record.at >= since && record.at < until) apply(record);
      },
      reset: () => undefined,
      onNote,
    });
    await reader.readNew();
  }
}
