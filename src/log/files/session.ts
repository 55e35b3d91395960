import { DragomanError } from "../../core/error.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { NO_BYTES } from "../../framing/bytes.js";
import { idempotencyKeysOf } from "../idempotency-key.js";
import { closed, fenced } from "../refusals.js";
import { serialiseMessages } from "../serialise.js";
import type { Appended, AppendOptions, Entry, Lease, Position, ReadOptions, SessionLog } from "../types.js";
import { FileChanges } from "./file-changes.js";
import { EntryReader, endOf, lastEntries, type ReadSource } from "./reader.js";
import type { WriteOptions, Writer } from "./writer.js";

export interface FileSessionOptions {
  id: string;
  header: SessionMessage;
  path: string;
  writer: Writer;
  /** Undefined while a new session is filled: until then no one can lease it. */
  marks?: SessionMarks;
  onClose(): Promise<void>;
}

/** A session's lease and its mark as due, for its appends. */
export interface SessionMarks {
  /** Throws `log/fenced` unless the lease is still held. */
  requireLease(lease: Lease): Promise<void>;
  markDue(): Promise<void>;
  clearDue(): void;
}

/** A session in a file of lines. Positions are byte offsets. */
export class FileSession implements SessionLog {
  readonly id: string;
  readonly header: SessionMessage;
  readonly #path: string;
  readonly #writer: Writer;
  readonly #source: ReadSource;
  readonly #marks: SessionMarks | undefined;
  readonly #onClose: () => Promise<void>;
  #closed = false;

  constructor({ id, header, path, writer, marks, onClose }: FileSessionOptions) {
    this.id = id;
    this.header = header;
    this.#path = path;
    this.#writer = writer;
    this.#source = { session: id, path, uncommitted: () => writer.uncommitted, tail: writer.tail };
    this.#marks = marks;
    this.#onClose = onClose;
  }

  async append(given: readonly AgentMessage[], options: AppendOptions = {}): Promise<Appended> {
    if (this.#closed) throw closed(this.id);
    const { messages, lines } = serialiseMessages(given);
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    const written = await this.#writer.append(bytes, this.#writeOptions(messages, options));
    return { messages: written.before === undefined ? messages : [], ...written };
  }

  #writeOptions(
    messages: readonly AgentMessage[],
    { expect, under, once, due }: AppendOptions,
  ): WriteOptions {
    return {
      expect,
      once,
      keys: idempotencyKeysOf(messages),
      check: under === undefined ? undefined : () => this.#requireLease(under),
      commit: due === undefined ? undefined : async () => this.#marks?.markDue(),
    };
  }

  /** Under the append lock, which every append holds until it has marked the session. */
  async clearDue(under: Lease, end: Position): Promise<boolean> {
    if (this.#closed) throw closed(this.id);
    try {
      await this.#writer.append(NO_BYTES, {
        expect: end,
        check: () => this.#requireLease(under),
        commit: async () => this.#marks?.clearDue(),
      });
      return true;
    } catch (error) {
      if (error instanceof DragomanError && error.code === "log/moved") return false;
      throw error;
    }
  }

  async #requireLease(lease: Lease): Promise<void> {
    if (this.#marks === undefined) throw fenced(this.id);
    await this.#marks.requireLease(lease);
  }

  read(options: ReadOptions = {}): AsyncIterable<Entry> {
    return new EntryReader(this.#source, options).toEnd();
  }

  last(count: number, options: Parameters<SessionLog["last"]>[1] = {}): Promise<Entry[]> {
    return lastEntries(this.#source, count, options);
  }

  async *tail({ signal, ...options }: ReadOptions & { signal: AbortSignal }): AsyncGenerator<Entry> {
    const reader = new EntryReader(this.#source, options);
    const wakes = new FileChanges([this.#path], signal, this.#writer);
    try {
      while (!signal.aborted) {
        wakes.reset();
        for await (const entry of reader.toEnd()) {
          yield entry;
          if (signal.aborted) return;
        }
        await wakes.wait();
      }
    } finally {
      wakes.stop();
    }
  }

  end(): Promise<Position> {
    return endOf(this.#source);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#onClose();
  }
}
