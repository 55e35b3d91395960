import type { Params, Result } from "../../protocol/schema.js";
import type { Conversation } from "../../runtime/conversation.js";
import { refuse } from "../refusals.js";
import type { ClientSocket, Gateway } from "../types.js";
import type { Feed } from "./feed.js";
import type { Feeds } from "./feeds.js";
import { RunFollower } from "./run-follower.js";
import { EVENT_NAMES, Subscriber } from "./subscriber.js";

const MOST_AWAITED = 1000;

interface Subscription {
  feed: Feed;
  subscriber: Subscriber;
  stopAsking: () => void;
}

/** What one client listens to. */
export class Subscriptions {
  readonly #socket: ClientSocket;
  readonly #gateway: Gateway;
  readonly #feeds: Feeds;
  readonly #all = new Map<Conversation, Subscription>();
  /** How to stop waiting for sessions that do not exist yet, by key. */
  readonly #awaited = new Map<string, () => void>();
  readonly #runs = new Map<Conversation, { feed: Feed; follower: RunFollower }>();
  #gone = false;

  constructor(socket: ClientSocket, gateway: Gateway, feeds: Feeds) {
    this.#socket = socket;
    this.#gateway = gateway;
    this.#feeds = feeds;
  }

  /** Subscribes to a session that does not exist yet: everything in it comes as events, from its first line on. */
  awaitSession(
    key: string,
    { events = [...EVENT_NAMES], asks = false }: Omit<Params<"chat.subscribe">, "sessionKey">,
    afterReply: (work: () => void) => void,
  ): Result<"chat.subscribe"> {
    this.stopAwaiting(key);
    if (this.#awaited.size === MOST_AWAITED) {
      throw refuse(
        "rate_limited",
        `a client can wait for at most ${MOST_AWAITED} sessions that do not exist yet`,
      );
    }
    const subscriber = new Subscriber(this.#socket, events, this.#gateway.limits.unreadBytes);
    const stop = this.#feeds.awaitSession(key, (conversation, feed) => {
      this.#awaited.delete(key);
      this.remove(conversation);
      feed.joinFirst(subscriber);
      this.#add(conversation, feed, subscriber, asks);
    });
    this.#awaited.set(key, stop);
    afterReply(() => subscriber.release());
    return { sessionKey: key, messages: [], live: true, cursor: { position: 0 }, permissions: [] };
  }

  /** False if the client does not wait for such a session. */
  stopAwaiting(key: string): boolean {
    this.#awaited.get(key)?.();
    return this.#awaited.delete(key);
  }

  /**
   * Sends the client the events of the run that takes in its message, while it has no subscription to the session. They come
   * after the answer to its request.
   */
  followRun(conversation: Conversation, feed: Feed, afterReply: (work: () => void) => void): RunFollower {
    const known = this.#runs.get(conversation);
    if (known !== undefined) return known.follower;
    const subscriber = new Subscriber(this.#socket, [], this.#gateway.limits.unreadBytes);
    const follower = new RunFollower(
      subscriber,
      () => this.#all.has(conversation),
      () => this.#runs.delete(conversation),
    );
    if (this.#gone) return follower;
    this.#runs.set(conversation, { feed, follower });
    feed.follow(follower);
    afterReply(() => subscriber.release());
    return follower;
  }

  /** Another subscription to the same session takes the place of the one before. */
  add(
    conversation: Conversation,
    wishes: Omit<Params<"chat.subscribe">, "sessionKey">,
    afterReply: (work: () => void) => void,
  ): Promise<Result<"chat.subscribe">> {
    return this.#feeds.use(conversation, (feed) => this.#join(conversation, feed, wishes, afterReply));
  }

  async #join(
    conversation: Conversation,
    feed: Feed,
    { after, events = [...EVENT_NAMES], asks = false }: Omit<Params<"chat.subscribe">, "sessionKey">,
    afterReply: (work: () => void) => void,
  ): Promise<Result<"chat.subscribe">> {
    this.remove(conversation);
    const { unreadBytes } = this.#gateway.limits;
    const subscriber = new Subscriber(this.#socket, events, unreadBytes);
    const joined = await feed.join(subscriber, after, unreadBytes / 2);
    const permissions = conversation.permissions.pending;
    if (joined.live && !this.#gone) {
      this.remove(conversation);
      this.#add(conversation, feed, subscriber, asks);
      afterReply(() => subscriber.release());
    } else {
      feed.leave(subscriber);
    }
    const seen = after?.runId;
    const ended = seen === undefined ? undefined : this.#feeds.endOf(seen, conversation);
    return {
      sessionKey: feed.sessionKey,
      id: conversation.session.id,
      ...joined,
      ...(ended === undefined ? {} : { ended }),
      permissions,
    };
  }

  #add(conversation: Conversation, feed: Feed, subscriber: Subscriber, asks: boolean): void {
    // Whoever can be asked is not told twice: the questions come as events.
    const stopAsking = asks ? conversation.watch(() => undefined, { asks }) : () => undefined;
    this.#all.set(conversation, { feed, subscriber, stopAsking });
  }

  remove(conversation: Conversation): boolean {
    const subscription = this.#all.get(conversation);
    if (subscription === undefined) return false;
    this.#all.delete(conversation);
    subscription.stopAsking();
    subscription.feed.leave(subscription.subscriber);
    this.#feeds.mayRest(conversation);
    return true;
  }

  close(): void {
    this.#gone = true;
    for (const key of [...this.#awaited.keys()]) this.stopAwaiting(key);
    for (const conversation of [...this.#all.keys()]) this.remove(conversation);
    for (const [conversation, { feed, follower }] of this.#runs) {
      feed.unfollow(follower);
      this.#feeds.mayRest(conversation);
    }
    this.#runs.clear();
  }
}
