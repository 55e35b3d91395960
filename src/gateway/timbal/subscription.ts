import { DragomanError } from "../../core/error.js";
import type { JsonObject } from "../../core/json/value.js";
import { parseTime } from "../../dialects/timbal/time.js";
import type { Position } from "../../log/types.js";
import { CatchUpQueue } from "../sockets/catch-up-queue.js";
import type { ClientSocket } from "../types.js";
import { cursor, type FrameListener, type Moment, type ThreadFeed } from "./feed.js";
import { SharedFrame } from "./shared-frame.js";
import { storedFrames } from "./stored-frames.js";
import type { Thread } from "./threads.js";

/** What a client requests: everything, what happened since a time, or what was stored after a cursor. */
export interface Sync {
  since?: number;
  after?: Position;
}

export interface SubscriptionOptions {
  thread: Thread;
  feed: ThreadFeed;
  socket: ClientSocket;
  multiplexed: boolean;
  /** How much may be queued while the client is sent stored frames. */
  unreadBytes: number;
  onEnd(why: "over" | "failed" | "slow"): void;
}

/** How much of a replay is sent before waiting for the client to receive it. */
const REPLAY_BYTES = 64 * 1024;

/** One client's view of one thread. */
export class Subscription implements FrameListener {
  readonly #options: SubscriptionOptions;
  readonly #queue: CatchUpQueue;
  #ended = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#queue = new CatchUpQueue(options.socket, options.unreadBytes, () => this.#finish("slow"));
  }

  /** Sends what is under way so far, and everything after it. */
  begin(): Promise<void> {
    return this.#enqueue(async ({ open }) => {
      this.#write(open);
    });
  }

  /** Sends what was stored, what is under way, and everything after it. */
  sync(wish: Sync): Promise<void> {
    return this.#enqueue(async ({ open, stale, position }) => {
      await this.#replay(wish, position);
      const isReturning = wish.after !== undefined || wish.since !== undefined;
      this.#write([...(isReturning ? stale : []), ...open, cursor(position)]);
    });
  }

  accept(frame: SharedFrame): void {
    this.#queue.send(frame.bytes(this.#options.multiplexed));
  }

  end(why: "over" | "failed"): void {
    this.#finish(why);
  }

  stop(): void {
    this.#ended = true;
    this.#options.feed.leave(this);
  }

  /** One after another: a client may ask again before it has received everything. */
  #enqueue(work: (moment: Moment) => Promise<void>): Promise<void> {
    this.#work = this.#work.then(() => this.#catchUp(work));
    return this.#work;
  }

  async #catchUp(work: (moment: Moment) => Promise<void>): Promise<void> {
    const { feed } = this.#options;
    await feed.ready;
    if (this.#ended) return;
    this.#queue.pause();
    await work(feed.listen(this));
    if (!this.#ended) this.#queue.resume();
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

  /** Compares times only until the first match: a message that is stored later may have begun earlier. */
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
