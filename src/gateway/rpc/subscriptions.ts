import type { Params, Result } from "../../client/schema/index.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { ClientSocket, Gateway } from "../types.js";
import type { Feed } from "./feed.js";
import type { Feeds } from "./feeds.js";
import { EVENT_NAMES, Subscriber } from "./subscriber.js";

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
  #gone = false;

  constructor(socket: ClientSocket, gateway: Gateway, feeds: Feeds) {
    this.#socket = socket;
    this.#gateway = gateway;
    this.#feeds = feeds;
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
      // Whoever can be asked is not told twice: the questions come as events.
      const stopAsking = asks ? conversation.watch(() => undefined, { asks }) : () => undefined;
      this.#all.set(conversation, { feed, subscriber, stopAsking });
      afterReply(() => subscriber.release());
    } else {
      feed.leave(subscriber);
    }
    const seen = after?.runId;
    const ended = seen === undefined ? undefined : this.#feeds.endOf(seen);
    return {
      sessionKey: feed.sessionKey,
      id: conversation.session.id,
      ...joined,
      ...(ended === undefined ? {} : { ended }),
      permissions,
    };
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
    for (const conversation of [...this.#all.keys()]) this.remove(conversation);
  }
}
