import type { Conversation } from "../../runtime/conversation.js";
import { Feeds } from "../../runtime/feeds.js";
import type { Outcome } from "../../runtime/types.js";
import { mayUse } from "../auth/permit.js";
import { Awaited } from "../awaited.js";
import { nameOf } from "../session-name.js";
import type { Gateway, Permit } from "../types.js";
import { RpcFeed, type RunEnd } from "./feed.js";

export interface RunOutcome {
  runId: string;
  outcome: Outcome;
  error?: string;
}

/** A run and its agent. */
interface Owned {
  agent: string | undefined;
}

/** How many ended runs are remembered. */
const REMEMBERED = 10_000;

/** The feeds of all conversations that are busy or have subscribers, and the outcomes of their runs. */
export class RpcFeeds {
  readonly #feeds: Feeds<{ conversation: Conversation }, RpcFeed>;
  readonly #ended = new Map<string, Owned & { ended: RunOutcome }>();
  readonly #waiting = new Map<
    string,
    Owned & { end: Promise<RunOutcome>; resolve: (ended: RunOutcome) => void }
  >();
  /** Sessions that do not exist yet, by key. */
  readonly #awaited = new Awaited<Conversation>();

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

  /** Calls back once, when a session with this key exists. Returns a function that stops waiting. */
  awaitSession(key: string, onSession: (conversation: Conversation) => void): () => void {
    return this.#awaited.add(key, onSession);
  }

  /** Keeps a conversation's feed open during some work. */
  async withFeed<T>(conversation: Conversation, work: (feed: RpcFeed) => Promise<T>): Promise<T> {
    const feed = this.claim(conversation);
    try {
      await feed.feed.ready;
      // A client that joins is shown the run on another gateway, if there is one.
      await conversation.elsewhere?.located();
      return await work(feed);
    } finally {
      void feed.forgetAbandoned();
      this.release(feed);
    }
  }

  /** A conversation's feed, open until it is released. */
  claim(conversation: Conversation): RpcFeed {
    const feed = this.#feeds.claim({ conversation });
    this.#awaited.resolve(feed.sessionKey, conversation);
    return feed;
  }

  release(feed: RpcFeed): void {
    this.#feeds.release(feed, feed);
  }

  /** How many clients follow a conversation. */
  subscribersOf(conversation: Conversation): number {
    return this.#feeds.of(conversation)?.subscribers ?? 0;
  }

  /** How a run of the conversation's agent ended. */
  endOf(runId: string, { session }: Conversation): RunOutcome | undefined {
    const known = this.#ended.get(runId);
    return known?.agent === session.header.agent ? known?.ended : undefined;
  }

  /** Lets clients wait for the end of a run, whose id a client was given. */
  expectRun(runId: string, { session }: Conversation): void {
    if (this.#ended.has(runId) || this.#waiting.has(runId)) return;
    let resolve: (ended: RunOutcome) => void = () => undefined;
    const end = new Promise<RunOutcome>((onEnd) => {
      resolve = onEnd;
    });
    this.#waiting.set(runId, { agent: session.header.agent, end, resolve });
  }

  /** Undefined for an unknown run, and for a run of an agent that the client may not use. */
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
    this.#waiting.get(ended.runId)?.resolve(ended);
    this.#waiting.delete(ended.runId);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
  }
}
