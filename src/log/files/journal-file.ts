import { constants, statSync } from "node:fs";
import { link, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { parseJson } from "../../core/json/parse.js";
import { decodeLine, type Line, LineSplitter } from "../../framing/lines.js";
import { formatLine } from "../../framing/ndjson.js";
import { CommitQueue } from "../commit-queue.js";
import type { Journal, JournalOptions } from "../store.js";
import { writeFailure } from "./disk-error.js";
import { appendDurably, openForAppends } from "./durable-append.js";
import { makeFolder, syncFolder } from "./folder.js";
import { setTornAside } from "./torn.js";
import type { LogFile, OpenFile } from "./writer.js";

/** A journal is compacted when it has twice the lines it needs, plus this many. */
const SPARE_LINES = 1000;
const BLOCK_BYTES = 256 * 1024;
const { O_RDWR, O_CREAT, O_APPEND, O_TRUNC } = constants;

export interface JournalFileOptions<T> extends JournalOptions<T> {
  path: string;
  /** Throws `log/fenced` when the lease of the journal's owner is lost. */
  checkLease?(): Promise<void>;
  /** For tests. */
  openFile?: OpenFile;
  spareLines?: number;
}

/**
 * Durable state of one component: lines of JSON, appended, and from time to time compacted into a snapshot. The process
 * that opens it must hold a lease: it has one writer, and no other reader meanwhile.
 *
 * @example
 * const seen = new Set<string>();
 * const journal = await JournalFile.open({ path, read, apply: (id) => seen.add(id), snapshot: () => seen, onNote });
 * await journal.append(["a"]); // on disk, and in `seen`
 */
export class JournalFile<T> implements Journal<T> {
  readonly #options: JournalFileOptions<T>;
  readonly #openFile: OpenFile;
  readonly #queue: CommitQueue<readonly T[]>;
  #file: LogFile | undefined;
  /** The file at the path; a different one was put there by another program. */
  #identity: { dev: number; ino: number } | undefined;
  #end = 0;
  #lines = 0;
  /** With more lines than this it is compacted. */
  #maxLines = 0;
  /** A line could not be read: before the file is replaced it is kept under another name. */
  #damaged = false;

  private constructor(options: JournalFileOptions<T>) {
    this.#options = options;
    this.#openFile = options.openFile ?? ((path, flags) => openForAppends(path, flags, 0o600));
    this.#queue = new CommitQueue({
      commit: async (batch) => {
        await this.#store(batch.flat()).catch((error: unknown) => {
          throw writeFailure(options.path, error);
        });
        return () => undefined;
      },
      afterBatch: async () => {
        if (this.#lines > this.#maxLines) await this.#compact();
      },
    });
  }

  /** Fulfilled when everything in it was applied. */
  static async open<T>(options: JournalFileOptions<T>): Promise<JournalFile<T>> {
    const journal = new JournalFile(options);
    try {
      await makeFolder(dirname(options.path));
      await journal.#readAll();
    } catch (error) {
      await journal.#detach();
      throw writeFailure(options.path, error);
    }
    return journal;
  }

  /** Fulfilled when the records are on disk and were applied. Appends that arrive while the disk is busy are written together. */
  append(records: readonly T[]): Promise<void> {
    return this.#queue.add(records);
  }

  async close(): Promise<void> {
    await this.#queue.whenIdle();
    await this.#detach();
  }

  async #readAll(): Promise<void> {
    const file = await this.#attach();
    const splitter = new LineSplitter();
    for (let at = 0; at < this.#end; ) {
      const block = new Uint8Array(Math.min(BLOCK_BYTES, this.#end - at));
      const { bytesRead } = await file.read(block, 0, block.length, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      for (const line of splitter.push(block.subarray(0, bytesRead))) this.#applyLine(line);
    }
    this.#maxLines = 2 * [...this.#options.snapshot()].length + this.#spare;
  }

  #applyLine(line: Line): void {
    this.#lines++;
    const record = this.#recordIn(line);
    if (record !== undefined) {
      this.#options.apply(record);
      return;
    }
    this.#damaged = true;
    this.#options.onNote(`${this.#options.path}: line ${line.line} cannot be read and is skipped`);
  }

  #recordIn(line: Line): T | undefined {
    try {
      return this.#options.read(parseJson(decodeLine(line)));
    } catch (error) {
      if (error instanceof DragomanError) return undefined;
      throw error;
    }
  }

  async #store(records: readonly T[]): Promise<void> {
    const bytes = Buffer.from(records.map(formatLine).join(""));
    await this.#options.checkLease?.();
    const file = await this.#ensureIntact();
    try {
      await appendDurably(file, bytes, this.#end, this.#options.path);
    } catch (error) {
      await this.#detach();
      throw error;
    }
    this.#end += bytes.length;
    this.#lines += records.length;
    for (const record of records) this.#options.apply(record);
  }

  /** Returns the file with all stored records: if it was deleted, replaced or shortened, it is rewritten from memory. */
  async #ensureIntact(): Promise<LogFile> {
    const { path, onNote } = this.#options;
    const file = this.#file ?? (await this.#attach());
    // The file is open, so this does not touch the disk; an asynchronous call would cost more than the write.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && this.#isOurs(found) && found.size === this.#end) return file;
    onNote(`${path} was ${found === undefined ? "deleted" : "changed"} by another program; rewriting it`);
    this.#damaged ||= found !== undefined;
    return this.#rewrite([...this.#options.snapshot()]);
  }

  #isOurs({ dev, ino }: { dev: number; ino: number }): boolean {
    return this.#identity?.dev === dev && this.#identity.ino === ino;
  }

  /** If this fails, the old file stays, and compaction is tried again when it has grown. */
  async #compact(): Promise<void> {
    const { path, onNote, snapshot } = this.#options;
    const records = [...snapshot()];
    this.#maxLines = 2 * Math.max(records.length, this.#lines) + this.#spare;
    try {
      await this.#rewrite(records);
    } catch (error) {
      onNote(`${path} could not be compacted: ${writeFailure(path, error).message}`);
    }
  }

  /** Replaces the file by one with these records only. A file with unreadable lines is kept under another name. */
  async #rewrite(records: readonly T[]): Promise<LogFile> {
    const { path } = this.#options;
    await this.#write(`${path}.new`, records);
    if (this.#damaged) await link(path, path.replace(/\.jsonl$/, `.damaged-${newId()}`));
    await this.#detach();
    await rename(`${path}.new`, path);
    await syncFolder(dirname(path));
    this.#identity = undefined;
    const file = await this.#attach();
    this.#damaged = false;
    this.#lines = records.length;
    this.#maxLines = 2 * records.length + this.#spare;
    return file;
  }

  async #write(path: string, records: readonly T[]): Promise<void> {
    const file = await this.#openFile(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
    try {
      let at = 0;
      for (let start = 0; start < records.length; start += SPARE_LINES) {
        const lines = records.slice(start, start + SPARE_LINES).map(formatLine);
        const bytes = Buffer.from(lines.join(""));
        await appendDurably(file, bytes, at, path);
        at += bytes.length;
      }
    } finally {
      await file.close();
    }
  }

  async #attach(): Promise<LogFile> {
    const { path, onNote } = this.#options;
    const file = await this.#openFile(path, O_RDWR | O_CREAT | O_APPEND);
    this.#file = file;
    const { size, dev, ino } = await file.stat();
    this.#identity ??= { dev, ino };
    this.#end = await setTornAside(file, size, {
      session: path,
      path,
      onRecovery: ({ bytes, savedAs }) =>
        onNote(`${path}: a torn line of ${bytes} bytes was saved to ${savedAs}`),
    });
    return file;
  }

  async #detach(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  get #spare(): number {
    return this.#options.spareLines ?? SPARE_LINES;
  }
}
