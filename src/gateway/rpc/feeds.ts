import type { Conversation } from "../../runtime/conversation.js";
import type { Outcome } from "../../runtime/types.js";
import { mayUse } from "../permit.js";
import { nameOf } from "../session-name.js";
import type { Gateway, Permit } from "../types.js";
import { Feed } from "./feed.js";
import type { RunEnd } from "./feed-items.js";

export interface Ended {
  runId: string;
  outcome: Outcome;
  error?: string;
}

/** A run, with the agent whose it is. */
interface Owned {
  agent: string | undefined;
}

type Awaiting = (conversation: Conversation, feed: Feed) => void;

/** How many ended runs are remembered. */
const REMEMBERED = 10_000;

/** The feeds of all conversations that somebody listens to or that are busy, and how their runs ended. */
export class Feeds {
  readonly #gateway: Gateway;
  readonly #feeds = new Map<Conversation, { feed: Feed; users: number }>();
  readonly #ended = new Map<string, Owned & { ended: Ended }>();
  readonly #waiting = new Map<string, Owned & { end: Promise<Ended>; tell: (ended: Ended) => void }>();
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
      this.#end(conversation, { runId, outcome, ...(error === undefined ? {} : { error }) });
      this.mayRest(conversation);
    };
    const feed = new Feed(conversation, this.#gateway, onEnd, waiting === undefined ? undefined : 0);
    const held = { feed, users: 0 };
    this.#feeds.set(conversation, held);
    for (const onSession of waiting ?? []) onSession(conversation, feed);
    return held;
  }

  /** How a run of the conversation's agent ended. */
  endOf(runId: string, { session }: Conversation): Ended | undefined {
    const known = this.#ended.get(runId);
    return known?.agent === session.header.agent ? known?.ended : undefined;
  }

  /** The next run was promised to a client, which can wait for its end. */
  expect({ runId, session }: Conversation): void {
    if (this.#ended.has(runId) || this.#waiting.has(runId)) return;
    let tell: (ended: Ended) => void = () => undefined;
    const end = new Promise<Ended>((resolve) => {
      tell = resolve;
    });
    this.#waiting.set(runId, { agent: session.header.agent, end, tell });
  }

  /** Undefined for a run that is not known here, or is of an agent that may not be used. */
  wait(runId: string, permit: Permit): Promise<Ended> | undefined {
    const known = this.#ended.get(runId);
    const waiting = this.#waiting.get(runId);
    const owned = known ?? waiting;
    if (owned === undefined || !mayUse(permit, owned.agent)) return undefined;
    return known === undefined ? waiting?.end : Promise.resolve(known.ended);
  }

  #end({ session }: Conversation, ended: Ended): void {
    this.#ended.set(ended.runId, { agent: session.header.agent, ended });
    this.#waiting.get(ended.runId)?.tell(ended);
    this.#waiting.delete(ended.runId);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
  }
}
