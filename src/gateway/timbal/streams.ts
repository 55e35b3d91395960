import type { ClientSocket, Gateway, HttpRequest } from "../types.js";
import { closeCodes, listen } from "./connection.js";
import type { ThreadFeed } from "./feed.js";
import type { SendingWorld } from "./sending.js";
import { socketSender } from "./socket-sender.js";
import { Subscription, type Sync } from "./subscription.js";
import { threadId } from "./thread-id.js";
import { isEnded, type Thread, type Threads } from "./threads.js";

/** How long a client may wait for its thread to be created. */
const GRACE_MS = 30_000;

/** Calls back after a time. Returns a function that cancels it. */
export type Schedule = (ms: number, callback: () => void) => () => void;

export interface StreamsWorld extends SendingWorld {
  gateway: Gateway;
  threads: Threads;
  schedule: Schedule;
}

/** Why a client receives no more of a thread. */
type End = "missing" | "over" | "failed" | "slow";

interface FollowOptions {
  id: string;
  socket: ClientSocket;
  multiplexed: boolean;
  onEnd(why: End): void;
}

/** Follows one thread, which may not exist yet, for one client. */
class ThreadFollower {
  readonly #world: StreamsWorld;
  readonly #options: FollowOptions;
  #syncs: Sync[] = [];
  #followed: { thread: Thread; feed: ThreadFeed; subscription: Subscription } | undefined;
  #stopWaiting: () => void;
  #found = false;
  #stopped = false;

  constructor(world: StreamsWorld, options: FollowOptions) {
    this.#world = world;
    this.#options = options;
    this.#stopWaiting = this.#wait();
    this.#guard(this.#findThread());
  }

  sync(wish: Sync): void {
    if (this.#followed === undefined) this.#syncs.push(wish);
    else this.#guard(this.#followed.subscription.sync(wish));
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#stopWaiting();
    if (this.#followed === undefined) return;
    const { thread, feed, subscription } = this.#followed;
    subscription.stop();
    this.#world.feeds.release(thread, feed);
  }

  /** Starts before the search, because the thread may be created meanwhile. */
  #wait(): () => void {
    const { threads, schedule } = this.#world;
    const { id, socket, onEnd } = this.#options;
    const forget = threads.whenMade(id, socket.caller, (thread) => this.#guard(this.#follow(thread)));
    const cancel = schedule(GRACE_MS, () => onEnd("missing"));
    return () => {
      forget();
      cancel();
    };
  }

  async #findThread(): Promise<void> {
    const { id, socket } = this.#options;
    const thread = await this.#world.threads.find(id, socket.caller);
    if (thread !== undefined) await this.#follow(thread);
  }

  async #follow(thread: Thread): Promise<void> {
    if (this.#found || this.#stopped) return;
    this.#found = true;
    this.#stopWaiting();
    const { socket, multiplexed, onEnd } = this.#options;
    const { feeds, gateway } = this.#world;
    const over = await isEnded(thread);
    if (this.#stopped) return;
    if (over) {
      onEnd("over");
      return;
    }
    const feed = feeds.claim(thread);
    const { unreadBytes } = gateway.limits;
    const subscription = new Subscription({ thread, feed, socket, multiplexed, unreadBytes, onEnd });
    this.#followed = { thread, feed, subscription };
    this.#guard(subscription.begin());
    for (const sync of this.#syncs.splice(0)) this.#guard(subscription.sync(sync));
  }

  /** An error ends the stream of this client only. */
  #guard(work: Promise<void>): void {
    work.catch((error) => {
      const { logger } = this.#world.gateway;
      logger.error({ thread: this.#options.id, err: error }, "could not follow a thread");
      this.#options.onEnd("failed");
    });
  }
}

const endings: Record<End, { code: number; reason: string }> = {
  missing: { code: closeCodes.noThread, reason: "the thread does not exist" },
  over: { code: closeCodes.threadEnded, reason: "the thread has ended" },
  failed: { code: closeCodes.failed, reason: "the thread cannot be followed" },
  slow: { code: closeCodes.policy, reason: "too much is unread" },
};

const ONE_STREAM = "this connection has only one stream, so leave out s; use /v1/stream for several threads";

type SocketRequest = Pick<HttpRequest, "params">;

/** `/v1/threads/:id/stream`: one thread. */
export function openThread(world: StreamsWorld, socket: ClientSocket, { params }: SocketRequest): void {
  const id = threadId(params["id"] ?? "");
  if (id === undefined) {
    socket.close(closeCodes.policy, "the thread's id must be a UUID");
    return;
  }
  const end = (why: End) => socket.close(endings[why].code, endings[why].reason);
  const following = new ThreadFollower(world, { id, socket, multiplexed: false, onEnd: end });
  const send = socketSender(world, socket);
  socket.onClose(() => following.stop());
  listen(socket, {
    sync: (stream, wish) => {
      if (stream === undefined) following.sync(wish);
      else refuse(socket, stream, ONE_STREAM);
    },
    unsub: () => undefined,
    send: (stream, frame) => {
      if (stream === undefined) send(id, frame);
      else refuse(socket, stream, ONE_STREAM);
    },
  });
}

/** `/v1/stream`: any number of threads, each a stream named by the thread's id. */
export function openMultiplexed(world: StreamsWorld, socket: ClientSocket): void {
  const followed = new Map<string, ThreadFollower>();
  const send = socketSender(world, socket);
  const isStream = (id: string | undefined): id is string => {
    if (id !== undefined && threadId(id) === id) return true;
    const why =
      id === undefined ? "s is missing: the thread's UUID" : "s must be a thread's UUID in lower case";
    refuse(socket, id, why);
    return false;
  };
  const drop = (id: string) => {
    followed.get(id)?.stop();
    followed.delete(id);
  };
  socket.onClose(() => {
    for (const id of [...followed.keys()]) drop(id);
  });
  listen(socket, {
    sync: (id, wish) => {
      if (!isStream(id)) return;
      const known = followed.get(id);
      if (known !== undefined) return known.sync(wish);
      const onEnd = (why: End) => {
        drop(id);
        if (why === "slow") socket.close(endings.slow.code, endings.slow.reason);
        else refuse(socket, id, endings[why].reason, why === "failed" ? "server_error" : "invalid_stream");
      };
      const following = new ThreadFollower(world, { id, socket, multiplexed: true, onEnd });
      followed.set(id, following);
      following.sync(wish);
    },
    unsub: drop,
    send: (id, frame) => {
      if (isStream(id)) send(id, frame, id);
    },
  });
}

function refuse(socket: ClientSocket, s: string | undefined, message: string, code = "invalid_stream"): void {
  socket.send(JSON.stringify({ s, c: "error", code, message }));
}
