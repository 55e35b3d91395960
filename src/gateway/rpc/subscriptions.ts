import { defined } from "../../core/json/defined.js";
import type { Params, Result } from "../../protocol/schema.js";
import type { Conversation } from "../../runtime/conversation.js";
import { refuse } from "../refusals.js";
import type { ClientSocket, Gateway } from "../types.js";
import type { RpcFeed } from "./feed.js";
import type { RpcFeeds } from "./feeds.js";
import { RunFollower } from "./run-follower.js";
import { EVENT_NAMES, Subscriber } from "./subscriber.js";

const MOST_AWAITED = 1000;

interface Subscription {
  feed: RpcFeed;
  subscriber: Subscriber;
  stopAsking: () => void;
}

/** One client's subscriptions. */
export class Subscriptions {
  readonly #socket: ClientSocket;
  readonly #gateway: Gateway;
  readonly #feeds: RpcFeeds;
  readonly #all = new Map<Conversation, Subscription>();
  /** Functions that stop waiting for sessions that do not exist yet, by key. */
  readonly #awaited = new Map<string, () => void>();
  readonly #runs = new Map<Conversation, { feed: RpcFeed; follower: RunFollower }>();
  #gone = false;

  constructor(socket: ClientSocket, gateway: Gateway, feeds: RpcFeeds) {
    this.#socket = socket;
    this.#gateway = gateway;
    this.#feeds = feeds;
  }

  /** Subscribes to a session that does not exist yet: all of it is sent as events, from its first line. */
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
    const replied = new Promise<void>((resolve) => afterReply(resolve));
    const stop = this.#feeds.awaitSession(key, (conversation) => {
      this.#awaited.delete(key);
      this.remove(conversation);
      const { feed } = this.#add(conversation, subscriber, asks);
      Promise.all([feed.joinFromStart(subscriber), replied]).then(
        ([frames]) => {
          if (this.#all.get(conversation)?.subscriber === subscriber) subscriber.flush(frames);
        },
        () => subscriber.close("the session cannot be followed"),
      );
    });
    this.#awaited.set(key, stop);
    return { sessionKey: key, messages: [], live: true, cursor: { position: 0 }, permissions: [] };
  }

  /** False if the client does not wait for such a session. */
  stopAwaiting(key: string): boolean {
    this.#awaited.get(key)?.();
    return this.#awaited.delete(key);
  }

  /**
   * Sends the client the events of the run that accepts its message, after the reply to its request, while it has no
   * subscription to the session.
   */
  followRun(conversation: Conversation, feed: RpcFeed, afterReply: (work: () => void) => void): RunFollower {
    const known = this.#runs.get(conversation);
    if (known !== undefined) return known.follower;
    const subscriber = new Subscriber(this.#socket, [], this.#gateway.limits.unreadBytes);
    const follower = new RunFollower(
      subscriber,
      () => this.#all.has(conversation),
      () => {
        if (this.#runs.delete(conversation)) this.#feeds.release(feed);
      },
    );
    if (this.#gone) return follower;
    this.#runs.set(conversation, { feed: this.#feeds.claim(conversation), follower });
    feed.follow(follower);
    afterReply(() => subscriber.flush());
    return follower;
  }

  /** Replaces the client's previous subscription to the session. */
  add(
    conversation: Conversation,
    wishes: Omit<Params<"chat.subscribe">, "sessionKey">,
    afterReply: (work: () => void) => void,
  ): Promise<Result<"chat.subscribe">> {
    return this.#feeds.withFeed(conversation, (feed) => this.#join(conversation, feed, wishes, afterReply));
  }

  async #join(
    conversation: Conversation,
    feed: RpcFeed,
    { after, events = [...EVENT_NAMES], asks = false }: Omit<Params<"chat.subscribe">, "sessionKey">,
    afterReply: (work: () => void) => void,
  ): Promise<Result<"chat.subscribe">> {
    this.remove(conversation);
    const { unreadBytes } = this.#gateway.limits;
    const subscriber = new Subscriber(this.#socket, events, unreadBytes);
    const joined = await feed.join(subscriber, after, unreadBytes / 2);
    const permissions = await conversation.permissions.pending();
    if (joined.live && !this.#gone) {
      this.remove(conversation);
      this.#add(conversation, subscriber, asks);
      afterReply(() => subscriber.flush());
    } else {
      feed.leave(subscriber);
    }
    const seen = after?.runId;
    const ended = seen === undefined ? undefined : this.#feeds.endOf(seen, conversation);
    const { id } = conversation.session;
    return defined({ sessionKey: feed.sessionKey, id, ...joined, ended, permissions });
  }

  #add(conversation: Conversation, subscriber: Subscriber, asks: boolean): Subscription {
    // Permission requests already come as events of the feed; this only marks the client as able to answer.
    const stopAsking = asks ? conversation.watch(() => undefined, { asks }) : () => undefined;
    const subscription = { feed: this.#feeds.claim(conversation), subscriber, stopAsking };
    this.#all.set(conversation, subscription);
    return subscription;
  }

  remove(conversation: Conversation): boolean {
    const subscription = this.#all.get(conversation);
    if (subscription === undefined) return false;
    this.#all.delete(conversation);
    subscription.stopAsking();
    subscription.feed.leave(subscription.subscriber);
    this.#feeds.release(subscription.feed);
    return true;
  }

  close(): void {
    this.#gone = true;
    for (const key of [...this.#awaited.keys()]) this.stopAwaiting(key);
    for (const conversation of [...this.#all.keys()]) this.remove(conversation);
    for (const { feed, follower } of this.#runs.values()) {
      feed.unfollow(follower);
      this.#feeds.release(feed);
    }
    this.#runs.clear();
  }
}
