import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { wordsOf } from "../core/error.js";
import type { LossRecord } from "../core/message/notes.js";
import type { Catalogue } from "../log/catalogue/types.js";
import { canonicalKey } from "../log/key.js";
import type { Lease, Log, NewSession, SessionLog } from "../log/types.js";
import type { ConnectOptions } from "../providers/connect.js";
import { type Agents, agentsOf, MAIN } from "./agents.js";
import { Conversation } from "./conversation.js";
import { continueForeign } from "./foreign.js";
import { LeftRuns } from "./left-runs.js";
import { type Connect, connector } from "./models.js";
import type { Config } from "./schema.js";
import { openSessions } from "./sessions.js";
import { type SubAgentWorld, toolsForHelpers } from "./sub-agents.js";
import { SessionView, viewPath } from "./views.js";

export interface RuntimeOptions {
  home: string;
  config: Config;
  /** Clock, network and environment of the models, for tests. */
  models?: Pick<ConnectOptions, "fetch" | "world">;
  /** Something a person should know, and nobody has to act on. */
  onNote?: (text: string) => void;
}

/** Beyond so many, conversations that nobody needs are closed: each is an open file, and a transcript in memory. */
const MOST_OPEN = 100;
const LOOKS = 10;
/** The histories of so many conversations stay in memory; of the others, those that were not used for the longest rest. */
const AWAKE = 32;

/** How long one waits before asking again for a session that another process runs. */
const LEASE_PAUSE_MS = 100;

/**
 * Agents at home: their sessions, and the conversations that are alive in this process.
 *
 * @example
 * const runtime = new Runtime({ home, config: await readConfig(home, process.env) });
 * const conversation = await runtime.begin({ key: "agent:main:main" });
 */
export class Runtime {
  readonly home: string;
  readonly config: Config;
  readonly log: Log;
  readonly agents: Agents;
  readonly connect: Connect;
  readonly catalogue: Catalogue;
  readonly #conversations = new Map<string, Promise<Conversation>>();
  /** Those that are open, the last asked for at the end. */
  readonly #used = new Map<string, Conversation>();
  /** Those whose history is in memory, the one that was used last at the end. */
  readonly #awake = new Set<Conversation>();
  readonly #onNote: RuntimeOptions["onNote"];
  readonly #listeners = new Set<(conversation: Conversation) => void>();
  readonly #lossListeners = new Set<(record: LossRecord) => void>();
  readonly #depths = new Map<string, number>();

  constructor({ home, config, models, onNote }: RuntimeOptions) {
    this.home = home;
    this.#onNote = onNote;
    this.config = config;
    const { log, catalogue } = openSessions(home, onNote);
    this.log = log;
    this.catalogue = catalogue;
    this.connect = connector(config, models);
    this.agents = agentsOf(config, home, this.connect);
  }

  /** The conversation of a session. The same one for everybody in this process. */
  async open(id: string): Promise<Conversation> {
    await this.#closeLost(id);
    return this.#shared(id, () => this.log.open(id));
  }

  /** The conversation that a key stands for, or a fresh one without a key. */
  async begin({ agent = MAIN, ...session }: Partial<NewSession>): Promise<Conversation> {
    const { key } = session;
    return this.#join(
      key === undefined
        ? await this.log.create({ agent, ...session })
        : await this.#ofKey({ agent, ...session, key }),
    );
  }

  /** The conversation that continues a session of another program, by its id or key; undefined if there is none. */
  async continueForeign(name: string): Promise<Conversation | undefined> {
    const foreign = await this.log.findForeign(name);
    return foreign === undefined ? undefined : this.#join(await continueForeign(this.log, foreign));
  }

  /** A key that another program has used is continued where it left off. */
  async #ofKey(session: NewSession & { key: string }): Promise<SessionLog> {
    const key = canonicalKey(session.key);
    const known = await this.log.find(key);
    if (known !== undefined) {
      await this.#closeLost(known);
      return this.log.open(known);
    }
    const foreign = await this.log.findForeign(key);
    return foreign === undefined ? this.log.openOrCreate(session) : continueForeign(this.log, foreign);
  }

  async #join(log: SessionLog): Promise<Conversation> {
    const conversation = await this.#shared(log.id, async () => log);
    // It was open already; what was opened beside it is not needed.
    if (conversation.session !== log) await log.close();
    else this.#tell(conversation);
    return conversation;
  }

  /** Hears of conversations that were begun or described here, or in which something is said or done. Returns how to stop. */
  watch(listener: (conversation: Conversation) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hears of everything that is lost where conversations here are translated, for counting. Returns how to stop. */
  watchLosses(listener: (record: LossRecord) => void): () => void {
    this.#lossListeners.add(listener);
    return () => this.#lossListeners.delete(listener);
  }

  /** Answers what processes that are gone have left unanswered. Fulfilled when all of it is under way. */
  async resume(): Promise<Conversation[]> {
    return (await this.#leftRuns().look()).resumed;
  }

  /**
   * The same from here on: whatever another process of this home leaves is resumed as soon as its lease is free. Returns how to
   * stop.
   */
  keepResuming(
    onResumed: (conversations: Conversation[]) => void,
    onError: (error: unknown) => void,
  ): () => void {
    return this.#leftRuns().keepLooking(({ resumed }) => {
      if (resumed.length > 0) onResumed(resumed);
    }, onError);
  }

  /** The conversations in which something is under way. */
  running(): Conversation[] {
    return [...this.#used.values()].filter(({ busy }) => busy);
  }

  /** Stops what is under way, and waits until it has stopped. */
  async close(): Promise<void> {
    const closing = [...this.#conversations.values()].map(async (opening) => (await opening).close());
    this.#conversations.clear();
    this.#used.clear();
    this.#awake.clear();
    const closed = await Promise.allSettled(closing);
    await this.catalogue.close();
    for (const result of closed) if (result.status === "rejected") throw result.reason;
  }

  get #marks(): string {
    return join(this.home, "runs");
  }

  get #inboxes(): string {
    return join(this.home, "inboxes");
  }

  #leftRuns(): LeftRuns {
    return new LeftRuns({
      log: this.log,
      folders: [this.#marks, this.#inboxes],
      isUnderWay: (id) => this.#used.get(id)?.busy === true,
      open: (id) => this.open(id),
      onFailure: (id, error) => this.#onFailure(id, error),
    });
  }

  #onFailure(session: string, error: unknown): void {
    this.#onNote?.(`session ${session}: ${wordsOf(error)}`);
  }

  #tell(conversation: Conversation): void {
    for (const listener of this.#listeners) listener(conversation);
  }

  #shared(id: string, open: () => Promise<SessionLog>): Promise<Conversation> {
    const known = this.#conversations.get(id);
    if (known !== undefined) {
      const used = this.#used.get(id);
      if (used !== undefined) this.#uses(id, used);
      return known;
    }
    const opening = open().then((session) => this.#converse(session));
    this.#conversations.set(id, opening);
    opening.then(
      (conversation) => {
        this.#uses(id, conversation);
        this.#closeForgotten();
      },
      () => this.#conversations.delete(id),
    );
    return opening;
  }

  /** A file that another program has changed is read anew. */
  async #closeLost(id: string): Promise<void> {
    const conversation = this.#used.get(id);
    if (conversation?.lost !== true) return;
    this.#used.delete(id);
    this.#awake.delete(conversation);
    this.#conversations.delete(id);
    await conversation.session.close();
  }

  #uses(id: string, conversation: Conversation): void {
    this.#used.delete(id);
    this.#used.set(id, conversation);
  }

  /** What was not asked for since long goes first. What is in use is put behind the rest, to be looked at again later. */
  #closeForgotten(): void {
    let looks = 0;
    for (const [id, conversation] of this.#used) {
      if (this.#used.size <= MOST_OPEN || looks++ === LOOKS) return;
      if (conversation.forgotten) {
        this.#used.delete(id);
        this.#awake.delete(conversation);
        this.#conversations.delete(id);
        conversation.session.close().catch((error: Error) => this.#onNote?.(error.message));
      } else this.#uses(id, conversation);
    }
  }

  #converse(session: SessionLog): Conversation {
    const { agent = MAIN } = session.header;
    const views = (this.config.views ?? []).map(
      (dialect) =>
        [
          dialect,
          new SessionView(dialect, viewPath(this.home, dialect, session.header, session.id), this.home),
        ] as const,
    );
    const conversation = new Conversation({
      session,
      markPath: join(this.#marks, session.id),
      inboxPath: join(this.#inboxes, session.id),
      setup: async (meta, conversation) =>
        this.agents.setup(agent, meta, await toolsForHelpers(agent, conversation, this.#helpers)),
      lease: (onWait, signal) => this.#lease(session.id, onWait, signal),
      onRead: (conversation) => this.#wake(conversation),
      onFailure: (error) => this.#onFailure(session.id, error),
      onChange: (conversation) => this.#tell(conversation),
      onLosses: (record) => {
        for (const listener of this.#lossListeners) listener(record);
      },
      onRest: async (messages, systemPrompt) => {
        // The index is derived: that it could not be brought up to date is no reason to fail.
        this.catalogue.touched(session.id).catch((error: Error) => this.#onNote?.(error.message));
        for (const [dialect, view] of views) {
          await conversation.recordLosses("view", dialect, await view.write(messages, systemPrompt));
        }
      },
    });
    return conversation;
  }

  #wake(conversation: Conversation): void {
    this.#awake.delete(conversation);
    for (const other of this.#awake) {
      if (this.#awake.size < AWAKE) break;
      if (other.rest()) this.#awake.delete(other);
    }
    this.#awake.add(conversation);
  }

  get #helpers(): SubAgentWorld {
    return {
      agents: this.agents,
      begin: (session) => this.begin(session),
      depthOf: (session) => this.#depths.get(session) ?? 0,
      goesDeeper: (session, depth) => this.#depths.set(session, depth),
    };
  }

  async #lease(id: string, onWait: () => Promise<void>, signal: AbortSignal): Promise<Lease> {
    const free = await this.log.lease(id);
    if (free !== undefined) return free;
    await onWait();
    for (;;) {
      await setTimeout(LEASE_PAUSE_MS, undefined, { signal });
      const lease = await this.log.lease(id);
      if (lease !== undefined) return lease;
    }
  }
}
