import type { Conversation } from "../../runtime/conversation.js";
import type { Outcome } from "../../runtime/types.js";
import { nameOf } from "../session-name.js";
import type { Gateway } from "../types.js";
import { Feed } from "./feed.js";
import type { RunEnd } from "./feed-items.js";

export interface Ended {
  runId: string;
  outcome: Outcome;
  error?: string;
}

type Awaiting = (conversation: Conversation, feed: Feed) => void;

/** How many ended runs are remembered. */
const REMEMBERED = 10_000;

/** The feeds of all conversations that somebody listens to or that are busy, and how their runs ended. */
export class Feeds {
  readonly #gateway: Gateway;
  readonly #feeds = new Map<Conversation, { feed: Feed; users: number }>();
  readonly #ended = new Map<string, Ended>();
  readonly #waiting = new Map<string, { end: Promise<Ended>; tell: (ended: Ended) => void }>();
  /** Those who wait for a session that does not exist yet, by its key. */
  readonly #awaited = new Map<string, Set<Awaiting>>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
    gateway.runtime.watch((conversation) => {
      if (this.#awaited.has(nameOf(conversation))) this.#held(conversation);
    });
  }

  /** Calls back once, when there is a session with this key. Returns how to stop waiting. */
  awaitSession(key: string, onSession: Awaiting): () => void {
    const waiting = this.#awaited.get(key) ?? new Set();
    this.#awaited.set(key, waiting.add(onSession));
    return () => {
      waiting.delete(onSession);
      if (waiting.size === 0 && this.#awaited.get(key) === waiting) this.#awaited.delete(key);
    };
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
    void conversation.idle().then(async () => {
      const held = this.#feeds.get(conversation);
      await held?.feed.told();
      if (held === undefined || this.#feeds.get(conversation) !== held) return;
      if (held.users > 0 || !held.feed.quiet) return;
      this.#feeds.delete(conversation);
      held.feed.close();
    });
  }

  #held(conversation: Conversation): { feed: Feed; users: number } {
    const known = this.#feeds.get(conversation);
    if (known !== undefined) return known;
    const key = nameOf(conversation);
    const waiting = this.#awaited.get(key);
    this.#awaited.delete(key);
    const onEnd = ({ runId, outcome, error }: RunEnd) => {
      this.#end({ runId, outcome, ...(error === undefined ? {} : { error }) });
      this.mayRest(conversation);
    };
    const feed = new Feed(conversation, this.#gateway, onEnd, waiting === undefined ? undefined : 0);
    const held = { feed, users: 0 };
    this.#feeds.set(conversation, held);
    for (const onSession of waiting ?? []) onSession(conversation, feed);
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
