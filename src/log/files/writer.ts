import { constants, existsSync, fstatSync, statSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { DragomanError } from "../../core/error.js";
import { NO_BYTES } from "../../framing/bytes.js";
import { CommitQueue } from "../commit-queue.js";
import { AppendLock } from "../locks/append-lock.js";
import type { Locks } from "../locks/lock.js";
import { deleted, moved, replaced } from "../refusals.js";
import type { Place, Position } from "../types.js";
import { systemCode, writeFailure } from "./disk-error.js";
import { type AppendFile, appendDurably, openForAppends } from "./durable-append.js";
import { readHeader } from "./header.js";
import { type FileIdentity, isSame, KnownTail } from "./known-tail.js";
import { StoredKeys } from "./stored-keys.js";
import { setTornAside, type TornOptions } from "./torn.js";

/** How long a file stays open after an append. A process may use more sessions than it can have open files. */
const OPEN_MS = 30_000;

export type LogFile = AppendFile & Pick<FileHandle, "stat" | "read" | "close">;
export type OpenFile = (path: string, flags: number) => Promise<LogFile>;

export interface WriterOptions extends TornOptions {
  locks: Locks;
  /** The id in the file's first line. */
  header: string | undefined;
  openFile?: OpenFile | undefined;
}

export interface WriteOptions {
  /** The append is refused unless the file ends here. */
  expect?: Position | undefined;
  /** Idempotency keys of the lines. */
  keys?: readonly string[];
  /** Nothing is written if one of the keys is in the file. */
  once?: boolean | undefined;
  /** Called under the lock, before anything is written; throws to refuse the append. */
  check?: (() => Promise<void>) | undefined;
  /** Called under the lock, once the lines are on disk. */
  commit?: (() => Promise<void>) | undefined;
}

export interface Written extends Place {
  /** Where one of the keys was found. */
  before?: Place;
}

interface Pending {
  bytes: Uint8Array;
  options: WriteOptions;
}

interface Accepted {
  /** In the batch. */
  index: number;
  pending: Pending;
  /** Empty if one of its keys was found. */
  bytes: Uint8Array;
  place: Place;
  before: Place | undefined;
}

/**
 * Appends to one session's file. Appends that arrive while the disk is busy are stored together, with one write and one
 * fdatasync. Other processes may append in between, under the lock.
 */
export class Writer {
  /** For readers in this process. */
  readonly tail: KnownTail;
  readonly #options: WriterOptions;
  readonly #openFile: OpenFile;
  readonly #lock: AppendLock;
  readonly #queue: CommitQueue<Pending, Written>;
  readonly #listeners = new Set<() => void>();
  #file: LogFile | undefined;
  /** The file when it was first opened. */
  #identity: FileIdentity | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  /** The end as far as this process knows: everything before it is on disk. */
  #end: Position = 0;
  #writing = false;
  /** Until the first append is stored. */
  #named: Promise<void> | undefined;
  /** Read when the first append with `once` needs them. */
  #keys: StoredKeys | undefined;
  /** Set once the file is not the one that was opened. */
  #lost: DragomanError | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.tail = new KnownTail(options.path);
    this.#openFile = options.openFile ?? openForAppends;
    this.#lock = new AppendLock(options.locks, `${options.session}.append`);
    this.#queue = new CommitQueue({
      prepare: () => this.#prepare(),
      commit: (batch) => this.#store(batch).catch((error) => this.#fail(error)),
      onIdle: () => this.#onIdle(),
    });
  }

  /** True when nothing more can be appended. */
  get lost(): boolean {
    return this.#lost !== undefined;
  }

  /** Where this process is writing lines that may be rolled back. */
  get uncommitted(): Position | undefined {
    return this.#writing ? this.#end : undefined;
  }

  /** Whether its file still has its name. */
  exists(): boolean {
    return existsSync(this.#options.path);
  }

  /** The session was created with this first line, in a file that is still open. `named`: when the file's name is on disk. */
  async adopt(file: FileHandle & AppendFile, line: Uint8Array, named?: Promise<void>): Promise<void> {
    this.#named = named;
    // The first append reports a failure.
    named?.catch(() => undefined);
    if (this.#options.openFile !== undefined) return file.close();
    const { dev, ino } = fstatSync(file.fd);
    this.#file = file;
    this.#identity = { dev, ino };
    this.tail.reach(this.#identity, 0);
    this.tail.add(line);
    this.#onIdle();
  }

  /** Fulfilled when the lines are on disk. Even without lines it sets a torn last line aside. */
  append(bytes: Uint8Array, options: WriteOptions = {}): Promise<Written> {
    return this.#queue.add({ bytes, options });
  }

  /** Calls back after each of this process's appends. Returns a function that unsubscribes. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#queue.whenIdle();
    clearTimeout(this.#idleTimer);
    await this.#named?.catch(() => undefined);
    await this.#lock.release();
    await this.#detach();
  }

  #fail(error: unknown): never {
    const failure = writeFailure(this.#options.path, error);
    if (failure.code === "log/deleted" || failure.code === "log/replaced") this.#lost = failure;
    throw failure;
  }

  #onIdle(): void {
    this.#lock.releaseWhenIdle();
    // Everything written is on disk already, so a failure to close has no consequence.
    this.#idleTimer = setTimeout(() => {
      this.tail.forget();
      this.#detach().catch(() => undefined);
    }, OPEN_MS).unref();
  }

  /**
   * Acquires the lock, and makes sure that the path still leads to the same file, and that the file ends with a complete
   * line. Undefined if there was nothing to wait for, as in most appends that follow each other.
   */
  #prepare(): Promise<void> | undefined {
    clearTimeout(this.#idleTimer);
    try {
      if (this.#lost !== undefined) throw this.#lost;
      if (this.#file === undefined || !this.#lock.tryKeep())
        return this.#lockAndOpen().catch((error) => this.#fail(error));
      return this.#lookAt(this.#file)?.catch((error) => this.#fail(error));
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #lockAndOpen(): Promise<void> {
    const opening = Promise.resolve(this.#file ?? this.#attach());
    // Neither needs the other. If opening fails, that is the error.
    await Promise.all([this.#lock.acquire(), opening]).finally(async () => {
      this.#file = await opening;
    });
    await this.#lookAt(await opening);
  }

  #lookAt(file: LogFile): Promise<void> | undefined {
    const { path } = this.#options;
    // The file is open, so this does not touch the disk; an asynchronous call would cost more than the write.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw deleted(path);
    if (!isSame(this.#identity, found)) throw replaced(path, "was replaced by another file");
    if (found.size < this.#end) throw replaced(path, "has become shorter");
    if (found.size === this.#end) return undefined;
    if (this.tail.end(undefined)?.end !== found.size) return this.#moveEnd(file, found.size);
    this.#end = found.size;
    return undefined;
  }

  async #moveEnd(file: LogFile, size: number): Promise<void> {
    this.#end = await setTornAside(file, size, this.#options);
  }

  async #attach(): Promise<LogFile> {
    const { path, header } = this.#options;
    const handle = await this.#openFile(path, constants.O_RDWR | constants.O_APPEND).catch((error) => {
      throw systemCode(error) === "ENOENT" ? deleted(path, error) : error;
    });
    try {
      const found = await readHeader(handle);
      if (found === undefined || found.id !== header) throw replaced(path, "was replaced by another file");
      this.#identity ??= await handle.stat();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #detach(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #store(batch: readonly Pending[]): Promise<(index: number) => Written> {
    const { session, path } = this.#options;
    const file = this.#file ?? (await this.#attach());
    const accepted: Accepted[] = [];
    const results: (Written | DragomanError)[] = [];
    let next = this.#end;
    for (const pending of batch) {
      const index = results.length;
      const { expect, check, once } = pending.options;
      try {
        if (check !== undefined) await check();
        const before = once === true ? await this.#findBefore(file, pending, accepted) : undefined;
        if (before === undefined && expect !== undefined && expect !== next)
          throw moved(session, expect, next);
        const bytes = before === undefined ? pending.bytes : NO_BYTES;
        const place = { position: next, next: next + bytes.length };
        accepted.push({ index, pending, bytes, place, before });
        results.push(before === undefined ? place : { ...place, before });
        next += bytes.length;
      } catch (error) {
        results.push(writeFailure(path, error));
      }
    }
    if (next > this.#end) {
      if (this.#identity !== undefined) this.tail.reach(this.#identity, this.#end);
      await this.#write(file, accepted);
      for (const { bytes } of accepted) if (bytes.length > 0) this.tail.add(bytes);
    }
    this.#end = next;
    for (const { index, pending } of accepted) {
      const { commit } = pending.options;
      if (commit === undefined) continue;
      await commit().catch((error) => {
        results[index] = writeFailure(path, error);
      });
    }
    for (const listener of this.#listeners) listener();
    return (index) => {
      const result = results[index];
      if (result === undefined || result instanceof DragomanError) throw result;
      return result;
    };
  }

  /** Where a key of an append with `once` is: in the file, or in an append of the same batch. */
  async #findBefore(
    file: LogFile,
    { options: { keys = [] } }: Pending,
    accepted: readonly Accepted[],
  ): Promise<Place | undefined> {
    if (keys.length === 0) return undefined;
    this.#keys ??= new StoredKeys();
    await this.#keys.readTo(file, this.#end);
    const found = this.#keys.find(keys);
    if (found !== undefined) return found;
    return accepted.find((other) => other.before === undefined && shareKey(other.pending.options.keys, keys))
      ?.place;
  }

  async #write(file: LogFile, batch: readonly Accepted[]): Promise<void> {
    this.#writing = true;
    try {
      const [first] = batch;
      const bytes =
        batch.length === 1 && first !== undefined
          ? first.bytes
          : Buffer.concat(batch.map(({ bytes }) => bytes));
      await appendDurably(file, bytes, this.#end, this.#options.path, this.#named);
      this.#named = undefined;
    } catch (error) {
      await this.#detach();
      throw error;
    } finally {
      this.#writing = false;
    }
  }
}

function shareKey(some: readonly string[] = [], others: readonly string[]): boolean {
  return some.some((key) => others.includes(key));
}
