import type { Conversation } from "./conversation.js";
import type { Feed } from "./feed.js";

/** What a protocol makes of the feed of one conversation, for all of its clients. */
export interface Rendering {
  readonly feed: Feed;
  /** Leaves the feed. */
  close(): void;
}

interface Claimed<R> {
  conversation: Conversation;
  rendering: R;
  claims: number;
}

/**
 * The renderings of a protocol: one for each conversation that somebody claims. It outlasts its last claim until the conversation
 * is idle, because whoever joins what is under way has to be told how it began.
 *
 * @example
 * const feeds = new Feeds(({ conversation }: Thread) => new ThreadFeed(conversation));
 * const feed = feeds.claim(thread);
 * feeds.release(feed);
 */
export class Feeds<S extends { conversation: Conversation }, R extends Rendering> {
  readonly #render: (subject: S) => R;
  readonly #byConversation = new Map<Conversation, Claimed<R>>();
  readonly #byRendering = new WeakMap<R, Claimed<R>>();

  constructor(render: (subject: S) => R) {
    this.#render = render;
  }

  /** The conversation's rendering, which stays until all who claimed it have released it. */
  claim(subject: S): R {
    const { conversation } = subject;
    const known = this.#byConversation.get(conversation);
    // A feed that has failed is closed: whoever comes later tries again.
    const claimed = known?.rendering.feed.closed === false ? known : this.#make(subject);
    claimed.claims++;
    return claimed.rendering;
  }

  release(rendering: R): void {
    const claimed = this.#byRendering.get(rendering);
    if (claimed === undefined) return;
    claimed.claims--;
    void this.#closeUnclaimed(claimed);
  }

  #make(subject: S): Claimed<R> {
    const { conversation } = subject;
    const rendering = this.#render(subject);
    const claimed = { conversation, rendering, claims: 0 };
    this.#byConversation.set(conversation, claimed);
    this.#byRendering.set(rendering, claimed);
    return claimed;
  }

  async #closeUnclaimed(claimed: Claimed<R>): Promise<void> {
    const { conversation, rendering } = claimed;
    do {
      await conversation.idle();
      await rendering.feed.drained();
      if (claimed.claims > 0 || !this.#byRendering.has(rendering)) return;
    } while (conversation.busy);
    this.#byRendering.delete(rendering);
    if (this.#byConversation.get(conversation) === claimed) this.#byConversation.delete(conversation);
    rendering.close();
  }
}
