import type { Conversation } from "./conversation.js";
import type { Feed } from "./feed.js";

/** A protocol's version of one conversation's feed, shared by all of its clients. */
export interface Rendering {
  readonly feed: Feed;
  /** Leaves the feed. */
  close(): void;
}

interface Claimed<R> {
  rendering: R;
  claims: number;
}

/**
 * A protocol's renderings: one for each claimed conversation. A rendering outlasts its last claim until the conversation is
 * idle, because a client that joins a run in progress needs its beginning.
 *
 * @example
 * const feeds = new Feeds(({ conversation }: Thread) => new ThreadFeed(conversation));
 * const feed = feeds.claim(thread);
 * feeds.release(thread, feed);
 */
export class Feeds<S extends { conversation: Conversation }, R extends Rendering> {
  readonly #render: (subject: S) => R;
  readonly #claimed = new Map<Conversation, Claimed<R>>();

  constructor(render: (subject: S) => R) {
    this.#render = render;
  }

  /** The conversation's rendering, which stays until every claim is released. */
  claim(subject: S): R {
    const { conversation } = subject;
    const known = this.#claimed.get(conversation);
    // A failed feed is closed: a later claim tries again.
    const isOpen = known?.rendering.feed.closed === false;
    const claimed = isOpen ? known : { rendering: this.#render(subject), claims: 0 };
    this.#claimed.set(conversation, claimed);
    claimed.claims++;
    return claimed.rendering;
  }

  /** The conversation's rendering, if there is one. */
  of(conversation: Conversation): R | undefined {
    return this.#claimed.get(conversation)?.rendering;
  }

  release({ conversation }: S, rendering: R): void {
    const claimed = this.#claimed.get(conversation);
    if (claimed?.rendering !== rendering) return;
    claimed.claims--;
    void this.#closeUnclaimed(conversation, claimed);
  }

  async #closeUnclaimed(conversation: Conversation, claimed: Claimed<R>): Promise<void> {
    do {
      await conversation.idle();
      await claimed.rendering.feed.drained();
      if (claimed.claims > 0 || this.#claimed.get(conversation) !== claimed) return;
    } while (conversation.busy);
    this.#claimed.delete(conversation);
    claimed.rendering.close();
  }
}
