import type { AgentMessage, SessionMessage } from "../core/types.js";
import { endOfLines } from "./files/backwards.js";
import { FileChanges } from "./files/file-changes.js";
import { committedSize, EntryReader, lastEntries, type ReadSource, withFile } from "./reader.js";
import { closed } from "./refusals.js";
import { serialiseMessages } from "./serialise.js";
import type { Appended, Entry, Position, ReadOptions, SessionLog } from "./types.js";
import type { Writer } from "./writer.js";

export interface FileSessionOptions {
  id: string;
  header: SessionMessage;
  path: string;
  writer: Writer;
  onClose(): Promise<void>;
}

/** A session in a file of lines. Positions are byte offsets. */
export class FileSession implements SessionLog {
  readonly id: string;
  readonly header: SessionMessage;
  readonly #path: string;
  readonly #writer: Writer;
  readonly #source: ReadSource;
  readonly #onClose: () => Promise<void>;
  #closed = false;

  constructor({ id, header, path, writer, onClose }: FileSessionOptions) {
    this.id = id;
    this.header = header;
    this.#path = path;
    this.#writer = writer;
    this.#source = { session: id, path, uncommitted: () => writer.uncommitted };
    this.#onClose = onClose;
  }

  async append(given: readonly AgentMessage[], options: { expect?: Position } = {}): Promise<Appended> {
    if (this.#closed) throw closed(this.id);
    const { messages, lines } = serialiseMessages(given);
    const place = await this.#writer.append(Buffer.from(lines.join("")), options.expect);
    return { messages, ...place };
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
    return withFile(this.#path, async (file) => endOfLines(file, await committedSize(this.#source, file)));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#onClose();
  }
}
