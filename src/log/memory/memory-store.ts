import { parseJson } from "../../core/json/parse.js";
import { formatLine } from "../../framing/ndjson.js";
import type {
  BlobOptions,
  Blobs,
  Cell,
  CellCodec,
  Journal,
  JournalOptions,
  RunMark,
  SharedLines,
  Store,
  StoredBlob,
  Values,
} from "../store.js";
import type { Lease } from "../types.js";
import { MemoryDue } from "./memory-due.js";
import { MemoryLeases } from "./memory-leases.js";
import { MemoryLog } from "./memory-log.js";

/** A store in memory: for tests, and for browsers. It has no index of its sessions. */
export class MemoryStore implements Omit<Store, "catalogue"> {
  readonly where = "memory";
  readonly leases = new MemoryLeases();
  readonly due = new MemoryDue(this.leases);
  readonly log = new MemoryLog(this.leases, this.due);
  readonly blobs: Blobs = new MemoryBlobs();
  /** By name; each record as text, so that each reader gets its own copy. */
  readonly #journals = new Map<string, string[]>();
  readonly #cells = new Map<string, string>();
  readonly #values = new Map<string, Map<string, string>>();
  /** By name, then by id. */
  readonly #lines = new Map<string, Map<string, string>>();

  async lease(name: string): Promise<Lease | undefined> {
    return this.leases.tryAcquire(name);
  }

  waitForLease(name: string, signal: AbortSignal): Promise<Lease> {
    return this.leases.waitFor(name, signal);
  }

  mark(session: string, under: Lease): RunMark {
    return this.due.runMark(session, () => this.leases.require(session, under));
  }

  async journal<T>(name: string, under: Lease, options: JournalOptions<T>): Promise<Journal<T>> {
    const lines = this.#journals.get(name) ?? [];
    this.#journals.set(name, lines);
    const applyLine = (line: string) => {
      const record = options.read(parseJson(line));
      if (record === undefined) options.onNote(`${name}: a record cannot be read and is skipped`);
      else options.apply(record);
    };
    for (const line of lines) applyLine(line);
    return {
      append: async (records) => {
        this.leases.requireAny(under);
        const added = records.map((record) => formatLine(record));
        lines.push(...added);
        for (const record of records) options.apply(record);
        const snapshot = [...options.snapshot()];
        if (lines.length > 2 * snapshot.length)
          lines.splice(0, lines.length, ...snapshot.map((one) => formatLine(one)));
      },
      close: async () => undefined,
    };
  }

  cell<T>(name: string, codec: CellCodec<T>): Cell<T> {
    const where = `memory:${name}`;
    const read = () => {
      const text = this.#cells.get(name);
      return text === undefined ? codec.empty : codec.parse(text, where);
    };
    return {
      where,
      exists: async () => this.#cells.has(name),
      read: async () => read(),
      change: async (edit) => {
        const before = read();
        const after = edit(before);
        if (after !== before) this.#cells.set(name, codec.print(after));
        return read();
      },
    };
  }

  values(name: string, under: Lease): Values {
    const values = this.#values.get(name) ?? new Map<string, string>();
    this.#values.set(name, values);
    return {
      names: async () => [...values.keys()],
      read: async (key) => values.get(key),
      write: async (key, text) => {
        this.leases.requireAny(under);
        values.set(key, text);
      },
      remove: async (key) => {
        this.leases.requireAny(under);
        values.delete(key);
      },
    };
  }

  lines(name: string): SharedLines {
    const linesNow = () => this.#lines.get(name) ?? new Map<string, string>();
    return {
      where: `memory:${name}`,
      add: async (line, id) => {
        const lines = linesNow();
        if (!lines.has(id)) lines.set(id, line);
        this.#lines.set(name, lines);
      },
      reader: ({ apply }) => {
        let applied = 0;
        return {
          readNew: async () => {
            for (const line of [...linesNow().values()].slice(applied)) apply(line, ++applied);
          },
        };
      },
      close: () => undefined,
    };
  }

  async lineNames(folder: string): Promise<string[]> {
    return [...this.#lines.keys()].filter((name) => name.startsWith(`${folder}/`)).sort();
  }

  async ready(): Promise<void> {}

  async close(): Promise<void> {}
}

class MemoryBlobs implements Blobs {
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #stored = new Map<string, StoredBlob>();

  async put(bytes: Uint8Array, options: BlobOptions): Promise<string> {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
    const hex = Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const ref = `media:${hex}.${options.extension}`;
    this.#stored.set(`${options.session} ${ref}`, { ...options, ref, hash: hex });
    this.#bytes.set(ref, new Uint8Array(bytes));
    return ref;
  }

  async get(ref: string): Promise<Uint8Array | undefined> {
    const bytes = this.#bytes.get(ref);
    return bytes === undefined ? undefined : new Uint8Array(bytes);
  }

  async *list(): AsyncGenerator<StoredBlob> {
    yield* this.#stored.values();
  }
}
