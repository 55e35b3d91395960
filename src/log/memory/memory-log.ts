import { nextWake } from "../../core/async/next-wake.js";
import { parseJson } from "../../core/json/parse.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { parse } from "../../core/validate.js";
import { formatLine } from "../../framing/ndjson.js";
import { idempotencyKeysOf } from "../idempotency-key.js";
import { canonicalKey } from "../key.js";
import { badPosition, closed, moved, noSession } from "../refusals.js";
import { headerOf, serialiseMessages } from "../serialise.js";
import type {
  Appended,
  AppendOptions,
  Entry,
  Fill,
  Lease,
  Log,
  NewSession,
  Place,
  Position,
  ReadOptions,
  SessionFile,
  SessionLog,
} from "../types.js";
import { MemoryDue } from "./memory-due.js";
import { MemoryLeases } from "./memory-leases.js";

interface StoredSession {
  header: SessionMessage & { id: string; agent: string };
  /** As text, so that each reader gets its own copies. */
  lines: string[];
  /** By idempotency key: the first message with it. */
  keys: Map<string, Place>;
  modified: number;
  tails: Set<() => void>;
}

/** A log in memory: for tests, and for browsers. */
export class MemoryLog implements Log {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #byKey = new Map<string, string>();
  readonly #making = new Map<string, Promise<SessionLog>>();
  readonly #leases: MemoryLeases;
  readonly #due: MemoryDue;

  constructor(leases = new MemoryLeases(), due = new MemoryDue(leases)) {
    this.#leases = leases;
    this.#due = due;
  }

  begin(session: Omit<NewSession, "key">): Promise<SessionLog> {
    return this.create(session);
  }

  async create(session: NewSession, fill?: Fill): Promise<SessionLog> {
    const header = { ...headerOf(session, Date.now()), agent: session.agent };
    const tails = new Set<() => void>();
    const lines = [formatLine(header)];
    const stored: StoredSession = { header, lines, keys: new Map(), modified: header.timestamp, tails };
    await fill?.(this.#openStored(stored));
    this.#sessions.set(header.id, stored);
    if (header.key !== undefined) this.#byKey.set(header.key, header.id);
    return this.#openStored(stored);
  }

  async open(id: string): Promise<SessionLog> {
    return this.#openStored(this.#session(id));
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
    return this.#leases.tryAcquire(id);
  }

  async waitForLease(id: string, signal: AbortSignal): Promise<Lease> {
    this.#session(id);
    return this.#leases.waitFor(id, signal);
  }

  #openStored(stored: StoredSession): SessionLog {
    return new MemorySession(stored, this.#leases, this.#due);
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
  readonly #leases: MemoryLeases;
  readonly #due: MemoryDue;
  #closed = false;

  constructor(stored: StoredSession, leases: MemoryLeases, due: MemoryDue) {
    this.id = stored.header.id;
    this.header = stored.header;
    this.#stored = stored;
    this.#leases = leases;
    this.#due = due;
  }

  async append(given: readonly AgentMessage[], options: AppendOptions = {}): Promise<Appended> {
    if (this.#closed) throw closed(this.id);
    const { messages, lines } = serialiseMessages(given);
    const { lines: stored, keys } = this.#stored;
    const { expect, under, once, due } = options;
    const position = stored.length;
    if (under !== undefined) this.#leases.require(this.id, under);
    const found = once === true ? idempotencyKeysOf(messages).find((key) => keys.has(key)) : undefined;
    const before = found === undefined ? undefined : keys.get(found);
    if (before === undefined && expect !== undefined && expect !== position)
      throw moved(this.id, expect, position);
    if (due === true) this.#due.mark(this.id);
    if (before !== undefined) return { messages: [], position, next: position, before };
    for (const [index, message] of messages.entries()) {
      const at = position + index;
      for (const key of idempotencyKeysOf([message])) {
        if (!keys.has(key)) keys.set(key, { position: at, next: at + 1 });
      }
    }
    for (const line of lines) stored.push(line);
    this.#stored.modified = Date.now();
    for (const wake of this.#stored.tails) wake();
    return { messages, position, next: stored.length };
  }

  async clearDue(under: Lease, end: Position): Promise<boolean> {
    if (this.#closed) throw closed(this.id);
    this.#leases.require(this.id, under);
    if (end !== this.#stored.lines.length) return false;
    this.#due.clear(this.id);
    return true;
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

  #waitForAppend(signal: AbortSignal): Promise<void> {
    const { tails } = this.#stored;
    return nextWake((wake) => {
      tails.add(wake);
      return () => tails.delete(wake);
    }, signal);
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
