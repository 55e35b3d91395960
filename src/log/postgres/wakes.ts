import { setTimeout } from "node:timers/promises";
import type { Address } from "./address.js";
import type { Database } from "./database.js";

/** Notifications of this time go together, because each one locks the whole database for a moment. */
const GATHER_MS = 10;
const POLL_MS = 1_000;
/** Below the 8,000 bytes that a notification can have. */
const MAX_PAYLOAD = 7_000;

/** What a notification is about: new messages of a session, due sessions, a lease that is free, a process that is gone. */
export type Topic = `session ${string}` | "due" | `lease ${string}` | "gone";

/**
 * Tells processes of changes. A notification is a hint: followers also look by themselves, in case one is lost.
 */
export class Wakes {
  readonly #database: Database;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** The end of each followed session when it was last looked at. */
  readonly #ends = new Map<string, number>();
  #dirty = new Set<string>();
  #sending: Promise<void> | undefined;
  #poll: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  get channel(): string {
    return channelOf(this.#database.address);
  }

  /** Calls back after each change. Returns a function that unsubscribes. */
  on(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(topic, listeners);
    this.#poll ??= setInterval(() => void this.#look(), POLL_MS);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#listeners.get(topic) !== listeners) return;
      this.#listeners.delete(topic);
      this.#ends.delete(topic);
      if (this.#listeners.size === 0) this.#stopPolling();
    };
  }

  /** Wakes the followers here at once, and those in other processes soon. */
  emit(topic: Topic): void {
    this.#wake(topic);
    this.#dirty.add(topic);
    this.#sending ??= this.#send();
  }

  /** For what another process has notified. */
  receive(payload: string): void {
    for (const topic of payload.split("\n")) this.#wake(topic);
  }

  /** Wakes all: notifications may have been missed. */
  wakeAll(): void {
    for (const topic of [...this.#listeners.keys()]) this.#wake(topic);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopPolling();
  }

  #wake(topic: string): void {
    const listeners = this.#listeners.get(topic);
    if (listeners !== undefined) for (const listener of [...listeners]) listener();
  }

  #stopPolling(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }

  async #send(): Promise<void> {
    while (this.#dirty.size > 0 && !this.#isClosed) {
      const payloads = inPayloads(this.#dirty);
      this.#dirty = new Set();
      const text =
        "select set_config('synchronous_commit', 'off', true), pg_notify($1, payload) from unnest($2::text[]) payload";
      // A hint that cannot be sent is not sent again.
      await this.#database
        .run({ name: "notify", text, values: [this.channel, payloads] }, 0)
        .catch(() => undefined);
      await setTimeout(GATHER_MS, undefined, { ref: false });
    }
    this.#sending = undefined;
  }

  async #look(): Promise<void> {
    const followed = [...this.#listeners.keys()].filter((topic) => topic.startsWith("session "));
    for (const topic of this.#listeners.keys()) if (!topic.startsWith("session ")) this.#wake(topic);
    if (followed.length === 0) return;
    const ids = followed.map((topic) => topic.slice("session ".length));
    const text = "select id, size::float8 as size from session where id = any ($1::text[])";
    try {
      const rows = await this.#database.run<{ id: string; size: number }>(
        { name: "ends", text, values: [ids] },
        0,
      );
      for (const { id, size } of rows) {
        const topic = `session ${id}`;
        const before = this.#ends.get(topic);
        if (this.#listeners.has(topic)) this.#ends.set(topic, size);
        if (before !== size) this.#wake(topic);
      }
    } catch {
      // The next look, in a second, may succeed. Followers that read meanwhile report the failure.
    }
  }
}

/** The name of a store among those of its database. */
export function channelOf({ schema }: Address): string {
  return `dragoman_${schema}`;
}

function inPayloads(topics: Iterable<string>): string[] {
  const payloads: string[][] = [];
  let bytes = MAX_PAYLOAD;
  for (const topic of topics) {
    const more = Buffer.byteLength(topic) + 1;
    if (bytes + more > MAX_PAYLOAD) {
      payloads.push([]);
      bytes = 0;
    }
    payloads.at(-1)?.push(topic);
    bytes += more;
  }
  return payloads.map((some) => some.join("\n"));
}
