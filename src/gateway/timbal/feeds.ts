import type { Notes } from "../types.js";
import { Feed } from "./feed.js";
import type { Thread } from "./threads.js";

/** The feeds of the threads that somebody follows, or in which something is under way. */
export class Feeds {
  readonly #notes: Notes;
  readonly #claimed = new Map<string, { feed: Feed; claims: number }>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** The thread's feed. It stays until whoever claims it releases it. */
  claim({ id, agent, conversation }: Thread): Feed {
    const known = this.#claimed.get(id);
    if (known !== undefined) {
      known.claims++;
      return known.feed;
    }
    const onFailure = (error: unknown) => {
      this.#notes.error({ thread: id, err: error }, "a thread cannot be followed");
      feed.close();
      if (this.#claimed.get(id)?.feed === feed) this.#claimed.delete(id);
    };
    const feed = new Feed({ thread: id, agent, conversation, onFailure });
    this.#claimed.set(id, { feed, claims: 1 });
    return feed;
  }

  release(thread: Thread, feed: Feed): void {
    const claimed = this.#claimed.get(thread.id);
    if (claimed?.feed !== feed) return;
    claimed.claims--;
    this.#dropUnclaimed(thread);
  }

  /** What is under way may still be joined: then its feed must know it from the beginning. */
  #dropUnclaimed(thread: Thread): void {
    const { id, conversation } = thread;
    const claimed = this.#claimed.get(id);
    if (claimed === undefined || claimed.claims > 0) return;
    if (conversation.busy) {
      void conversation.idle().then(() => this.#dropUnclaimed(thread));
      return;
    }
    claimed.feed.close();
    this.#claimed.delete(id);
  }
}
