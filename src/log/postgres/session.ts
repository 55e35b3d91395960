import { setTimeout } from "node:timers/promises";
import { DragomanError } from "../../core/error.js";
import type { AgentMessage, SessionMessage } from "../../core/types.js";
import { closed, moved, noSession } from "../refusals.js";
import { serialiseMessages } from "../serialise.js";
import type { Appended, AppendOptions, Entry, Lease, Position, ReadOptions, SessionLog } from "../types.js";
import { type Conditions, type Lines, linesOf, type Outcome } from "./group.js";
import { onceWoken } from "./once-woken.js";
import { EntryReader, endOf, lastEntries } from "./reader.js";
import type { StoreParts } from "./store-parts.js";
import type { Topic } from "./wakes.js";

/** The pause of a follower whose store cannot be reached. */
const RETRY_MS = 1_000;

/** A session in PostgreSQL. Positions are byte offsets, as in a file with the same lines. */
export class PostgresSession implements SessionLog {
  readonly id: string;
  readonly header: SessionMessage;
  readonly #parts: StoreParts;
  readonly #topic: Topic;
  #closed = false;

  constructor(id: string, header: SessionMessage, parts: StoreParts) {
    this.id = id;
    this.header = header;
    this.#parts = parts;
    this.#topic = `session ${id}`;
  }

  async append(given: readonly AgentMessage[], options: AppendOptions = {}): Promise<Appended> {
    const { messages, lines } = serialiseMessages(given);
    const { expect, under, once, due } = options;
    const stored = await this.#write(linesOf(messages, lines), { expect, once, due }, under);
    const { outcome, at, until } = this.#accept(stored, under);
    if (outcome === "moved") throw moved(this.id, expect ?? at, at);
    if (outcome === "before") {
      const end = await this.end();
      if (due === true) this.#parts.wakes.emit("due");
      return { messages: [], position: end, next: end, before: { position: at, next: until } };
    }
    if (messages.length > 0) this.#parts.wakes.emit(this.#topic);
    if (due === true) this.#parts.wakes.emit("due");
    return { messages, position: at, next: until };
  }

  async clearDue(under: Lease, end: Position): Promise<boolean> {
    const conditions = { expect: end, clearDue: true };
    return this.#accept(await this.#write(linesOf([], []), conditions, under), under).outcome === "stored";
  }

  #write(lines: Lines, conditions: Conditions, under: Lease | undefined): Promise<Outcome> {
    if (this.#closed) throw closed(this.id);
    const { writers, leases } = this.#parts;
    const lease = under === undefined ? undefined : leases.require(under, this.id);
    const { fence, process } = lease ?? {};
    return writers.write({ session: this.id, lines, conditions, fence, process });
  }

  /** Throws if there is no such session, or if another process holds it. */
  #accept(outcome: Outcome, under: Lease | undefined): Outcome {
    if (outcome.outcome === "missing") throw noSession(this.id);
    if (outcome.outcome === "fenced" && under !== undefined) throw this.#parts.leases.reject(under);
    return outcome;
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Entry> {
    yield* new EntryReader(this.#parts.database, this.id, options).toEnd();
  }

  last(
    count: number,
    options: { before?: Position; onBadLine?: ReadOptions["onBadLine"] } = {},
  ): Promise<Entry[]> {
    return lastEntries(this.#parts.database, this.id, count, options);
  }

  async *tail({ signal, ...options }: ReadOptions & { signal: AbortSignal }): AsyncGenerator<Entry> {
    const { database, wakes, presence } = this.#parts;
    const reader = new EntryReader(database, this.id, options);
    const unwatch = presence.listen();
    const change = onceWoken((wake) => wakes.on(this.#topic, wake));
    try {
      while (!signal.aborted) {
        change.reset();
        try {
          for await (const entry of reader.toEnd()) {
            if (signal.aborted) return;
            yield entry;
          }
        } catch (error) {
          if (!(error instanceof DragomanError) || error.code !== "log/unavailable") throw error;
          await setTimeout(RETRY_MS, undefined, { signal }).catch(() => undefined);
          continue;
        }
        await change.wait(signal);
      }
    } finally {
      change.stop();
      unwatch();
    }
  }

  async end(): Promise<Position> {
    const end = await endOf(this.#parts.database, this.id);
    if (end === undefined) throw noSession(this.id);
    return end;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
