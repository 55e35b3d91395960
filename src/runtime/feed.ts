import { ended } from "../core/async/ended.js";
import type { Entry, Position } from "../log/types.js";
import type { Conversation } from "./conversation.js";
import type { ConversationEvent } from "./types.js";

/** Receives a conversation's entries and events, in one order. */
export interface Follower {
  /** A line of the log, of any process. Each is delivered once, in log order. */
  onEntry(entry: Entry): void;
  /** A stored message's event follows its entry; every event follows all entries delivered before it occurred. */
  onEvent(event: ConversationEvent): void;
  /** The log cannot be read, or the follower itself has thrown: nothing more is delivered. */
  onFailure(error: unknown): void;
}

type Source = Pick<Conversation, "session" | "watch"> & Partial<Pick<Conversation, "observeForeign">>;

/**
 * One conversation in one order, for all its followers: the lines of the log, other processes' included, and the events of runs
 * in this process.
 *
 * A follower misses nothing from the tick in which it begins to follow: stored messages are in the log up to `position`, the
 * answer in progress is in `conversation.live`, and everything else is delivered to it.
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
  /** With the number of events before it began to follow, which are not delivered to it. */
  readonly #followers = new Map<Follower, number>();
  /** `number`: how many events came before it. */
  readonly #queue: { number: number; event: ConversationEvent }[] = [];
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

  /** Delivers everything from now on to the follower. All followers of a conversation share one feed. */
  static follow(conversation: Source, follower: Follower): Feed {
    const feed = Feed.#open.get(conversation) ?? new Feed(conversation);
    Feed.#open.set(conversation, feed);
    feed.#followers.set(follower, feed.#eventCount);
    return feed;
  }

  /** The end of the log when the feed began; undefined until it is known, and nothing is delivered before. */
  get start(): Position | undefined {
    return this.#start;
  }

  /** The entries before it were delivered, or stored before the feed began. */
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

  /** The entries between two positions. `log/bad-position` if `from` is not a position of this session. */
  async *stored(from: Position, until: Position): AsyncGenerator<Entry> {
    for await (const entry of this.#source.session.read({ from })) {
      if (entry.position >= until) return;
      yield entry;
    }
  }

  /** Fulfilled when all current entries and events were delivered, or the feed is closed. */
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
    // A run's message is usually known from its event before it is read.
    if (read !== undefined && read.position >= this.position) {
      this.#deliverEntry(read);
      this.#source.observeForeign?.(read);
    }
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const { number, event } = next;
      const entry = storedBy(event);
      // Other processes' lines precede it. They are on disk: the tail is about to read them.
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

  /** A follower that throws must not affect the others. */
  #toFollowers(deliver: (follower: Follower) => void, number = Number.POSITIVE_INFINITY): void {
    // A follower that joins meanwhile has this already.
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
    this.#closed.abort(ended);
    this.#unwatch();
    if (Feed.#open.get(this.#source) === this) Feed.#open.delete(this.#source);
    for (const { resolve } of this.#drains) resolve();
    this.#drains.clear();
  }
}

/** The entry of the message whose storage the event reports. */
function storedBy(event: ConversationEvent): Entry | undefined {
  if (event.type !== "agent" || event.event.type !== "message_end" || event.stored === undefined)
    return undefined;
  return { message: event.event.message, ...event.stored };
}
