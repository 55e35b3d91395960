import type { Entry, Position } from "../log/types.js";
import type { Conversation } from "./conversation.js";
import type { ConversationEvent } from "./types.js";

/** Receives what happens in a conversation, in one order. */
export interface Follower {
  /** A line of the log, whoever wrote it. Each comes once, in the order of the log. */
  onEntry(entry: Entry): void;
  /** That of a stored message comes after the message's entry; each comes after every entry delivered before it happened. */
  onEvent(event: ConversationEvent): void;
  /** The log cannot be read, or the follower itself has thrown: nothing more comes. */
  onFailure(error: unknown): void;
}

type Source = Pick<Conversation, "session" | "watch">;

/** An event, and how many came before it. */
interface NumberedEvent {
  number: number;
  event: ConversationEvent;
}

/**
 * One conversation in one order, for all who follow it: the lines of the log, also those of other processes, and the events of
 * runs in this process.
 *
 * A follower is in step from the tick in which it begins to follow: what was stored is in the log up to `position`, what is under
 * way is in `conversation.live`, and everything else is delivered to it.
 *
 * @example
 * const feed = Feed.follow(conversation, { onEntry, onEvent, onFailure });
 * await feed.ready;
 * for await (const entry of feed.stored(cursor, feed.position)) show(entry);
 */
export class Feed {
  static readonly #open = new WeakMap<Source, Feed>();

  /** Fulfilled when the position is known. Rejected if the log cannot be read. */
  readonly ready: Promise<void>;
  readonly #source: Source;
  readonly #unwatch: () => void;
  readonly #closed = new AbortController();
  /** With the number of events before it: those that happened before it followed are not delivered to it. */
  readonly #followers = new Map<Follower, number>();
  readonly #queue: NumberedEvent[] = [];
  readonly #drains = new Set<{ end: Position; resolve: () => void }>();
  #eventCount = 0;
  #start: Position | undefined;
  /** Everything before it was delivered. Undefined until the end of the log is known. */
  #position: Position | undefined;
  #last: Entry | undefined;
  #delivering = false;

  private constructor(source: Source) {
    this.#source = source;
    this.#unwatch = source.watch((event) => this.#accept(event));
    this.ready = this.#begin();
    this.ready.catch((error) => this.#fail(error));
  }

  /** Delivers to the follower everything that comes after this moment. Those who follow the same conversation share one feed. */
  static follow(conversation: Source, follower: Follower): Feed {
    const feed = Feed.#open.get(conversation) ?? new Feed(conversation);
    Feed.#open.set(conversation, feed);
    feed.#followers.set(follower, feed.#eventCount);
    return feed;
  }

  /** Where the log ended when the feed began; undefined until that is known, and nothing is delivered before. */
  get start(): Position | undefined {
    return this.#start;
  }

  /** The entries before it were delivered, or were there before the feed was. */
  get position(): Position {
    return this.#position ?? 0;
  }

  /** The last entry before the position. */
  get last(): Entry | undefined {
    return this.#last;
  }

  get closed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** The feed closes with its last follower. */
  leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size === 0) this.#close();
  }

  /** What was stored between two positions. `log/bad-position` if `from` is not a position of this session. */
  async *stored(from: Position, until: Position): AsyncGenerator<Entry> {
    for await (const entry of this.#source.session.read({ from })) {
      if (entry.position >= until) return;
      yield entry;
    }
  }

  /** Fulfilled when everything that was stored or has happened by now was delivered, or the feed is closed. */
  async drained(): Promise<void> {
    // A log that cannot be read fails the feed as well, which closes it.
    const [last] = await this.#source.session.last(1).catch(() => []);
    if (this.closed) return;
    await new Promise<void>((resolve) => {
      this.#drains.add({ end: last?.next ?? 0, resolve });
      this.#deliver();
    });
  }

  async #begin(): Promise<void> {
    const [last] = await this.#source.session.last(1);
    const end = last?.next ?? 0;
    this.#last = last;
    this.#start = end;
    this.#position = end;
    this.#deliver();
    void this.#tail(end);
  }

  async #tail(from: Position): Promise<void> {
    const { signal } = this.#closed;
    try {
      for await (const entry of this.#source.session.tail({ from, signal })) this.#deliver(entry);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #accept(event: ConversationEvent): void {
    this.#queue.push({ number: this.#eventCount++, event });
    this.#deliver();
  }

  #deliver(read?: Entry): void {
    if (this.#position === undefined || this.#delivering) return;
    this.#delivering = true;
    // What a run has stored is usually known from its event before it is read.
    if (read !== undefined && read.position >= this.position) this.#deliverEntry(read);
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const { number, event } = next;
      const entry = storedBy(event);
      // Lines of others come before it. They are on disk: the tail is about to read them.
      if (entry !== undefined && entry.position > this.position) break;
      this.#queue.shift();
      if (entry?.position === this.position) this.#deliverEntry(entry);
      this.#toFollowers((follower) => follower.onEvent(event), number);
    }
    this.#delivering = false;
    if (this.#queue.length > 0) return;
    for (const drain of this.#drains) {
      if (drain.end > this.position) continue;
      this.#drains.delete(drain);
      drain.resolve();
    }
  }

  #deliverEntry(entry: Entry): void {
    this.#position = entry.next;
    this.#last = entry;
    this.#toFollowers((follower) => follower.onEntry(entry));
  }

  /** A follower that throws must not keep the others from what they follow. */
  #toFollowers(deliver: (follower: Follower) => void, number = Number.POSITIVE_INFINITY): void {
    // Whoever begins to follow meanwhile is in step already.
    for (const [follower, before] of [...this.#followers]) {
      if (number < before || !this.#followers.has(follower)) continue;
      try {
        deliver(follower);
      } catch (error) {
        this.leave(follower);
        follower.onFailure(error);
      }
    }
  }

  #fail(error: unknown): void {
    const followers = [...this.#followers.keys()];
    this.#followers.clear();
    this.#close();
    for (const follower of followers) follower.onFailure(error);
  }

  #close(): void {
    this.#closed.abort();
    this.#unwatch();
    if (Feed.#open.get(this.#source) === this) Feed.#open.delete(this.#source);
    for (const { resolve } of this.#drains) resolve();
    this.#drains.clear();
  }
}

/** The entry of the message that the event says is stored. */
function storedBy(event: ConversationEvent): Entry | undefined {
  if (event.type !== "agent" || event.event.type !== "message_end" || event.stored === undefined)
    return undefined;
  return { message: event.event.message, ...event.stored };
}
