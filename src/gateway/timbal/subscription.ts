import { DragomanError } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import { parseTime } from "../../dialects/timbal/time.js";
import type { Position } from "../../log/types.js";
import type { ClientSocket } from "../types.js";
import { cursor, type FrameListener, type Moment, type ThreadFeed } from "./feed.js";
import { SharedFrame } from "./shared-frame.js";
import { storedFrames } from "./stored-frames.js";
import type { Thread } from "./threads.js";

/** What a client asks for: everything, what is of a time or later, or what came after a cursor. */
export interface Sync {
  since?: number;
  after?: Position;
}

export interface SubscriptionOptions {
  thread: Thread;
  feed: ThreadFeed;
  socket: ClientSocket;
  multiplexed: boolean;
  /** What may wait for the client while it is sent what was before. */
  unreadBytes: number;
  onEnd(why: "over" | "failed" | "slow"): void;
}

/** How much is sent before the client must have taken it. */
const REPLAY_BYTES = 64 * 1024;

/** One client's view of one thread. */
export class Subscription implements FrameListener {
  readonly #options: SubscriptionOptions;
  /** What happens while the client is sent what was before. */
  #queued: SharedFrame[] | undefined;
  #queuedBytes = 0;
  #ended = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /** From here on, with what is open as far as it is. */
  begin(): Promise<void> {
    return this.#enqueue(async ({ open }) => {
      this.#write(open);
    });
  }

  /** What was before, what is open, and from here on. */
  sync(wish: Sync): Promise<void> {
    return this.#enqueue(async ({ open, stale: over, position }) => {
      await this.#replay(wish, position);
      const comesBack = wish.after !== undefined || wish.since !== undefined;
      this.#write([...(comesBack ? over : []), ...open, cursor(position)]);
    });
  }

  accept(frame: SharedFrame): void {
    const bytes = frame.bytes(this.#options.multiplexed);
    if (this.#queued === undefined) {
      this.#options.socket.send(bytes);
      return;
    }
    this.#queued.push(frame);
    this.#queuedBytes += bytes.length;
    if (this.#queuedBytes > this.#options.unreadBytes) this.#finish("slow");
  }

  end(why: "over" | "failed"): void {
    this.#finish(why);
  }

  stop(): void {
    this.#ended = true;
    this.#options.feed.leave(this);
  }

  /** One after the other: a client may ask again before it has everything. */
  #enqueue(work: (moment: Moment) => Promise<void>): Promise<void> {
    this.#work = this.#work.then(() => this.#catchUp(work));
    return this.#work;
  }

  async #catchUp(work: (moment: Moment) => Promise<void>): Promise<void> {
    const { feed } = this.#options;
    await feed.ready;
    if (this.#ended) return;
    const held: SharedFrame[] = [];
    this.#queued = held;
    this.#queuedBytes = 0;
    await work(feed.listen(this));
    this.#queued = undefined;
    if (!this.#ended) for (const frame of held) this.accept(frame);
  }

  async #replay(wish: Sync, end: Position): Promise<void> {
    try {
      await this.#replayFrom(wish.after ?? 0, wish.since, end);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== "log/bad-position") throw error;
      this.#write([
        { c: "error", code: "invalid_cursor", message: "this thread has no such cursor: here is all of it" },
      ]);
      await this.#replayFrom(0, undefined, end);
    }
  }

  /** Times are not looked at again once one fits: what is stored later may have begun earlier. */
  async #replayFrom(from: Position, since: number | undefined, end: Position): Promise<void> {
    const { thread, feed, socket } = this.#options;
    let reached = since === undefined;
    let sent = 0;
    for await (const { message } of feed.feed.stored(from, end)) {
      if (this.#ended) return;
      const frames = storedFrames(message, thread.agent);
      reached ||= frames.some(({ t }) => (parseTime(t) ?? 0) >= (since ?? 0));
      if (!reached) continue;
      sent += this.#write(frames);
      if (sent < REPLAY_BYTES) continue;
      await socket.drained();
      sent = 0;
    }
  }

  #write(frames: readonly JsonObject[]): number {
    const { socket, thread, multiplexed } = this.#options;
    let sent = 0;
    for (const frame of frames) {
      const bytes = new SharedFrame(frame, thread.id).bytes(multiplexed);
      sent += bytes.length;
      if (!this.#ended) socket.send(bytes);
    }
    return sent;
  }

  #finish(why: "over" | "failed" | "slow"): void {
    if (this.#ended) return;
    this.stop();
    this.#options.onEnd(why);
  }
}
