import { parseJson } from "../core/json/parse.js";
import type { AgentMessage, SessionMessage } from "../core/types.js";
import { parse } from "../core/validate.js";
import { formatLine } from "../framing/ndjson.js";
import { canonicalKey } from "./key.js";
import { badPosition, closed, moved, noSession } from "./refusals.js";
import { headerOf, serialiseMessages } from "./serialise.js";
import type {
  Appended,
  Entry,
  Fill,
  Lease,
  Log,
  NewSession,
  Position,
  ReadOptions,
  SessionFile,
  SessionLog,
} from "./types.js";

interface StoredSession {
  header: SessionMessage & { id: string; agent: string };
  /** As text, so that each reader gets its own copies. */
  lines: string[];
  modified: number;
  tails: Set<() => void>;
}

/** A log in memory: for tests, and for browsers. */
export class MemoryLog implements Log {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #byKey = new Map<string, string>();
  readonly #making = new Map<string, Promise<SessionLog>>();
  readonly #leased = new Set<string>();

  async create(session: NewSession, fill?: Fill): Promise<SessionLog> {
    const header = { ...headerOf(session, Date.now()), agent: session.agent };
    const tails = new Set<() => void>();
    const stored = { header, lines: [formatLine(header)], modified: header.timestamp, tails };
    await fill?.(new MemorySession(stored));
    this.#sessions.set(header.id, stored);
    if (header.key !== undefined) this.#byKey.set(header.key, header.id);
    return new MemorySession(stored);
  }

  async open(id: string): Promise<SessionLog> {
    return new MemorySession(this.#session(id));
  }

  async find(key: string): Promise<string | undefined> {
    return this.#byKey.get(canonicalKey(key));
  }

  async openOrCreate(session: NewSession & { key: string }, fill?: Fill): Promise<SessionLog> {
    const key = canonicalKey(session.key);
    // Other callers may be filling the session; if one fails, the next one creates it.
    for (let other = this.#making.get(key); other !== undefined; other = this.#making.get(key)) {
      await other.catch(() => undefined);
    }
    const id = this.#byKey.get(key);
    if (id !== undefined) return this.open(id);
    const making = this.create(session, fill).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async findForeign(): Promise<undefined> {
    return undefined;
  }

  async *list(): AsyncGenerator<SessionFile> {
    for (const [id, { header, lines, modified }] of this.#sessions) {
      const size = lines.reduce((sum, line) => sum + line.length, 0);
      yield { id, agent: header.agent, path: `memory:${id}`, foreign: false, size, modified };
    }
  }

  async lease(id: string): Promise<Lease | undefined> {
    this.#session(id);
    if (this.#leased.has(id)) return undefined;
    this.#leased.add(id);
    let released = false;
    return {
      release: async () => {
        if (!released) this.#leased.delete(id);
        released = true;
      },
    };
  }

  #session(id: string): StoredSession {
    const stored = this.#sessions.get(id);
    if (stored === undefined) throw noSession(id);
    return stored;
  }
}

/** Positions are message counts. */
class MemorySession implements SessionLog {
  readonly id: string;
  readonly header: SessionMessage;
  readonly #stored: StoredSession;
  #closed = false;

  constructor(stored: StoredSession) {
    this.id = stored.header.id;
    this.header = stored.header;
    this.#stored = stored;
  }

  async append(given: readonly AgentMessage[], options: { expect?: Position } = {}): Promise<Appended> {
    if (this.#closed) throw closed(this.id);
    const { messages, lines } = serialiseMessages(given);
    const position = this.#stored.lines.length;
    if (options.expect !== undefined && options.expect !== position) {
      throw moved(this.id, options.expect, position);
    }
    for (const line of lines) this.#stored.lines.push(line);
    this.#stored.modified = Date.now();
    for (const wake of this.#stored.tails) wake();
    return { messages, position, next: this.#stored.lines.length };
  }

  async *read({ from = 0 }: ReadOptions = {}): AsyncGenerator<Entry> {
    this.#check(from);
    for (let position = from; position < this.#stored.lines.length; position++) yield this.#entry(position);
  }

  async last(
    count: number,
    { before = this.#stored.lines.length }: { before?: Position } = {},
  ): Promise<Entry[]> {
    this.#check(before);
    const entries: Entry[] = [];
    for (let position = Math.max(0, before - count); position < before; position++) {
      entries.push(this.#entry(position));
    }
    return entries;
  }

  async *tail({ from = 0, signal }: ReadOptions & { signal: AbortSignal }): AsyncGenerator<Entry> {
    this.#check(from);
    for (let position = from; !signal.aborted; ) {
      if (position < this.#stored.lines.length) yield this.#entry(position++);
      else await this.#waitForAppend(signal);
    }
  }

  async end(): Promise<Position> {
    return this.#stored.lines.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  async #waitForAppend(signal: AbortSignal): Promise<void> {
    const { tails } = this.#stored;
    await new Promise<void>((resolve) => {
      const wake = () => {
        tails.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      tails.add(wake);
      signal.addEventListener("abort", wake);
    });
  }

  #entry(position: Position): Entry {
    const line = this.#stored.lines[position];
    if (line === undefined) throw badPosition(this.id, position);
    return { message: parse("AgentMessage", parseJson(line)), position, next: position + 1 };
  }

  #check(position: Position): void {
    if (!Number.isSafeInteger(position) || position < 0 || position > this.#stored.lines.length) {
      throw badPosition(this.id, position);
    }
  }
}
