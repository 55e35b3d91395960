import type { Conversation } from "../../runtime/conversation.js";
import type { Outcome } from "../../runtime/types.js";
import type { Gateway } from "../types.js";
import { Feed } from "./feed.js";

export interface Ended {
  runId: string;
  outcome: Outcome;
  error?: string;
}

/** How many ended runs are remembered. */
const REMEMBERED = 10_000;

/** The feeds of all conversations that somebody listens to or that are busy, and how their runs ended. */
export class Feeds {
  readonly #gateway: Gateway;
  readonly #feeds = new Map<Conversation, { feed: Feed; users: number }>();
  readonly #ended = new Map<string, Ended>();
  readonly #waiting = new Map<string, { end: Promise<Ended>; tell: (ended: Ended) => void }>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Does something with the feed of a conversation, which stays at least as long. */
  async use<T>(conversation: Conversation, work: (feed: Feed) => Promise<T>): Promise<T> {
    const held = this.#held(conversation);
    held.users++;
    try {
      await held.feed.ready;
      return await work(held.feed);
    } finally {
      held.users--;
      this.mayRest(conversation);
    }
  }

  /** Somebody has left, or a run has ended: what nobody listens to and is idle is let go. */
  mayRest(conversation: Conversation): void {
    void conversation.idle().then(() => {
      const held = this.#feeds.get(conversation);
      if (held === undefined || held.users > 0 || !held.feed.quiet) return;
      this.#feeds.delete(conversation);
      held.feed.close();
    });
  }

  #held(conversation: Conversation): { feed: Feed; users: number } {
    const known = this.#feeds.get(conversation);
    if (known !== undefined) return known;
    const feed = new Feed(conversation, this.#gateway, ({ runId, outcome, error }) => {
      this.#end({ runId, outcome, ...(error === undefined ? {} : { error }) });
      this.mayRest(conversation);
    });
    const held = { feed, users: 0 };
    this.#feeds.set(conversation, held);
    return held;
  }

  endOf(runId: string): Ended | undefined {
    return this.#ended.get(runId);
  }

  /** A run that was promised to somebody, so that its end can be waited for. */
  expect(runId: string): void {
    if (this.#ended.has(runId) || this.#waiting.has(runId)) return;
    let tell: (ended: Ended) => void = () => undefined;
    const end = new Promise<Ended>((resolve) => {
      tell = resolve;
    });
    this.#waiting.set(runId, { end, tell });
  }

  /** Undefined for a run that nobody here knows. */
  wait(runId: string): Promise<Ended> | undefined {
    const ended = this.#ended.get(runId);
    return ended === undefined ? this.#waiting.get(runId)?.end : Promise.resolve(ended);
  }

  #end(ended: Ended): void {
    this.#ended.set(ended.runId, ended);
    this.#waiting.get(ended.runId)?.tell(ended);
    this.#waiting.delete(ended.runId);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
  }
}
