import { createHash } from "node:crypto";
import type { Inbound } from "../../../channels/types.js";
import { chatKey } from "../read-record.js";
import type { InboxRecord, Seen } from "../record-schema.js";
import { newest, trimmedForContext } from "./group-context.js";

/** How long, and how many, message ids are remembered, so that redelivered messages are not answered again. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;
const MOST_REMEMBERED = 100_000;
/** Chats with kept context. */
const MOST_CHATS = 1000;
const SEEN_PER_LINE = 1000;

export interface Received {
  key: string;
  at: number;
  inbound: Inbound;
}

/** A message's key: chat and platform id. Each edit has its own key. */
export function keyOf(inbound: Inbound): string {
  const { id, edits, message } = inbound;
  if (edits === undefined) return keyIn(inbound, id);
  const version = createHash("sha256").update(JSON.stringify(message)).digest("hex").slice(0, 16);
  return keyIn(inbound, id, version);
}

/** The key of the message an edit replaces. */
export function editedKey(inbound: Inbound): string | undefined {
  return inbound.edits === undefined ? undefined : keyIn(inbound, inbound.edits);
}

function keyIn({ place: { chat }, idScope }: Inbound, ...ids: string[]): string {
  return JSON.stringify(idScope === undefined ? [chat, ...ids] : [{ bot: idScope }, chat, ...ids]);
}

/** An account's received messages, rebuilt from its journal. */
export class InboxState {
  readonly waiting = new Map<string, Received>();
  /** By the key of the first message. */
  readonly batches = new Map<string, readonly Received[]>();
  readonly #context = new Map<string, Received[]>();
  /** Chats where a person who may ask has written, latest last. */
  readonly #open = new Set<string>();
  readonly #seen = new Map<string, { at: number; author: string | undefined }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  has(key: string): boolean {
    return this.#seen.has(key) || this.waiting.has(key);
  }

  /** A received message's author, if known. */
  authorOf(key: string): string | undefined {
    return this.#seen.get(key)?.author;
  }

  /** Whether a person who may ask has written in the chat. */
  isOpen(chat: string): boolean {
    return this.#open.has(chat);
  }

  contextOf(place: string): readonly Received[] {
    return this.#context.get(place) ?? [];
  }

  apply(record: InboxRecord): void {
    switch (record.type) {
      case "in":
        this.waiting.set(record.key, record);
        this.#remember(record.key, record.at, record.inbound.sender.id);
        return;
      case "context":
        for (const received of this.#removeWaiting(record.keys)) this.#addContext(received);
        return;
      case "batch":
        this.batches.set(record.keys[0] ?? "", this.#removeWaiting(record.keys));
        return;
      case "done":
        this.#removeWaiting(record.keys);
        for (const key of record.keys) this.batches.delete(key);
        if (record.place !== undefined) this.#forgetContext(record.place, new Set(record.keys));
        return;
      case "open": {
        this.#open.delete(record.chat);
        this.#open.add(record.chat);
        const [oldest] = this.#open;
        if (this.#open.size > MOST_CHATS && oldest !== undefined) this.#open.delete(oldest);
        return;
      }
      case "seen":
        for (const [key, at, author] of record.ids) this.#remember(key, at, author);
    }
  }

  *snapshot(): Generator<InboxRecord> {
    const seen = [...this.#seen].map(
      ([key, { at, author }]): Seen => (author === undefined ? [key, at] : [key, at, author]),
    );
    for (let start = 0; start < seen.length; start += SEEN_PER_LINE) {
      yield { type: "seen", ids: seen.slice(start, start + SEEN_PER_LINE) };
    }
    for (const chat of this.#open) yield { type: "open", chat };
    for (const received of [...this.#context.values()].flat()) {
      yield { type: "in", ...received };
      yield { type: "context", keys: [received.key] };
    }
    for (const batch of this.batches.values()) {
      for (const received of batch) yield { type: "in", ...received };
      yield { type: "batch", keys: batch.map(({ key }) => key) };
    }
    for (const received of this.waiting.values()) yield { type: "in", ...received };
  }

  #removeWaiting(keys: readonly string[]): Received[] {
    return keys.flatMap((key) => {
      const received = this.waiting.get(key);
      this.waiting.delete(key);
      if (received === undefined) return [];
      const { at, inbound } = received;
      return { key, at, inbound };
    });
  }

  #addContext(received: Received): void {
    const place = chatKey(received.inbound.place);
    const kept = newest([
      ...this.contextOf(place),
      { ...received, inbound: trimmedForContext(received.inbound) },
    ]);
    // Ordered by last use.
    this.#context.delete(place);
    this.#context.set(place, kept);
    const [oldest] = this.#context.keys();
    if (this.#context.size > MOST_CHATS && oldest !== undefined) this.#context.delete(oldest);
  }

  #forgetContext(place: string, keys: ReadonlySet<string>): void {
    const left = this.contextOf(place).filter(({ key }) => !keys.has(key));
    if (left.length === 0) this.#context.delete(place);
    else this.#context.set(place, left);
  }

  #remember(key: string, at: number, author: string | undefined): void {
    if (!this.#seen.has(key)) this.#seen.set(key, { at, author });
    const horizon = this.#now() - REMEMBERED_MS;
    for (const [oldest, seen] of this.#seen) {
      if (this.#seen.size <= MOST_REMEMBERED && seen.at >= horizon) return;
      this.#seen.delete(oldest);
    }
  }
}
