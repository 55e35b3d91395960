import type { Conversation } from "../../runtime/conversation.js";
import { Feeds } from "../../runtime/feeds.js";
import type { Outcome } from "../../runtime/types.js";
import { mayUse } from "../auth/permit.js";
import { nameOf } from "../session-name.js";
import type { Gateway, Permit } from "../types.js";
import { RpcFeed, type RunEnd } from "./feed.js";

export interface RunOutcome {
  runId: string;
  outcome: Outcome;
  error?: string;
}

/** A run, with the agent whose it is. */
interface Owned {
  agent: string | undefined;
}

type Awaiting = (conversation: Conversation) => void;

/** How many ended runs are remembered. */
const REMEMBERED = 10_000;

/** The feeds of all conversations that somebody listens to or that are busy, and how their runs ended. */
export class RpcFeeds {
  readonly #feeds: Feeds<{ conversation: Conversation }, RpcFeed>;
  readonly #ended = new Map<string, Owned & { ended: RunOutcome }>();
  readonly #waiting = new Map<
    string,
    Owned & { end: Promise<RunOutcome>; tell: (ended: RunOutcome) => void }
  >();
  /** Those who wait for a session that does not exist yet, by its key. */
  readonly #awaited = new Map<string, Set<Awaiting>>();

  constructor(gateway: Gateway) {
    this.#feeds = new Feeds(({ conversation }) => {
      const feed = new RpcFeed(conversation, gateway, (event) => {
        this.#end(conversation, event);
        void feed.forgetAbandoned();
      });
      return feed;
    });
    gateway.runtime.watch((conversation) => {
      if (this.#awaited.has(nameOf(conversation))) this.release(this.claim(conversation));
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
  async withFeed<T>(conversation: Conversation, work: (feed: RpcFeed) => Promise<T>): Promise<T> {
    const feed = this.claim(conversation);
    try {
      await feed.feed.ready;
      return await work(feed);
    } finally {
      void feed.forgetAbandoned();
      this.release(feed);
    }
  }

  /** The feed of a conversation, which stays until it is released. */
  claim(conversation: Conversation): RpcFeed {
    const feed = this.#feeds.claim({ conversation });
    const waiting = this.#awaited.get(feed.sessionKey) ?? [];
    this.#awaited.delete(feed.sessionKey);
    for (const onSession of waiting) onSession(conversation);
    return feed;
  }

  release(feed: RpcFeed): void {
    this.#feeds.release(feed, feed);
  }

  /** How a run of the conversation's agent ended. */
  endOf(runId: string, { session }: Conversation): RunOutcome | undefined {
    const known = this.#ended.get(runId);
    return known?.agent === session.header.agent ? known?.ended : undefined;
  }

  /** The next run was promised to a client, which can wait for its end. */
  expectRun({ runId, session }: Conversation): void {
    if (this.#ended.has(runId) || this.#waiting.has(runId)) return;
    let tell: (ended: RunOutcome) => void = () => undefined;
    const end = new Promise<RunOutcome>((resolve) => {
      tell = resolve;
    });
    this.#waiting.set(runId, { agent: session.header.agent, end, tell });
  }

  /** Undefined for a run that is not known here, or is of an agent that may not be used. */
  waitForEnd(runId: string, permit: Permit): Promise<RunOutcome> | undefined {
    const known = this.#ended.get(runId);
    const waiting = this.#waiting.get(runId);
    const owned = known ?? waiting;
    if (owned === undefined || !mayUse(permit, owned.agent)) return undefined;
    return known === undefined ? waiting?.end : Promise.resolve(known.ended);
  }

  #end({ session }: Conversation, { runId, outcome, error }: RunEnd): void {
    const ended = { runId, outcome, ...(error === undefined ? {} : { error }) };
    this.#ended.set(ended.runId, { agent: session.header.agent, ended });
    this.#waiting.get(ended.runId)?.tell(ended);
    this.#waiting.delete(ended.runId);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
  }
}
