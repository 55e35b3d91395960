import { compact } from "../agent/compaction.js";
import { lastCompaction } from "../agent/context.js";
import { type PermissionRule, permissionHook } from "../agent/permissions.js";
import { MessageQueue, type QueueMode } from "../agent/queue.js";
import { type RunOptions, run } from "../agent/run.js";
import type { ToolHooks } from "../agent/types.js";
import { newId } from "../core/ids.js";
import { metaOf, noteMessage, type SessionMeta } from "../core/notes.js";
import type { AgentEvent, AgentMessage, UserMessage } from "../core/types.js";
import type { Lease, SessionLog } from "../log/types.js";
import { History } from "./history.js";
import { LiveState } from "./live-state.js";
import { Permissions } from "./permissions.js";
import { recover, waitingIn } from "./recover.js";
import { markWaiting, RunMark } from "./run-mark.js";
import type { Accepted, AgentSetup, ConversationEvent, Outcome } from "./types.js";

export interface ConversationOptions {
  session: SessionLog;
  /** The file that marks a run which is under way. */
  markPath: string;
  setup(meta: SessionMeta, conversation: Conversation): Promise<AgentSetup>;
  /** Waits for the right to run the session; the callback is told when it has to. */
  lease(onWait: () => Promise<void>, signal: AbortSignal): Promise<Lease>;
  /** After each run. */
  onRest?(messages: readonly AgentMessage[]): Promise<void>;
  /** What went wrong with the log itself; whoever waits for a message to be stored is told as well. */
  onFailure?(error: unknown): void;
  now?: () => number;
}

type Listener = (event: ConversationEvent) => void;

/**
 * One session, alive: what is sent to it is answered by its agent, one run at a time, and everybody who watches sees the
 * same. What was accepted survives the process: it is in the log before `send` is fulfilled.
 *
 * @example
 * conversation.watch((event) => show(event));
 * await conversation.send({ role: "user", content: "Hi", timestamp: Date.now() });
 * await conversation.idle();
 */
export class Conversation {
  readonly session: SessionLog;
  readonly live = new LiveState();
  readonly permissions: Permissions;
  readonly #options: ConversationOptions;
  readonly #now: () => number;
  readonly #history: History;
  readonly #queue = new MessageQueue();
  readonly #listeners = new Set<Listener>();
  /** Those who wait until the message with this id is stored. */
  readonly #unstored = new Map<
    string,
    { message: UserMessage; stored: () => void; failed: (error: unknown) => void }
  >();
  /** What was accepted here and is not in the transcript yet. */
  readonly #underWay = new Set<string>();
  readonly #once = new Map<string, Promise<Accepted>>();
  /** What is being written to the inbox. */
  readonly #keeping = new Set<Promise<void>>();
  /** Nothing waits, and the run's mark is about to go: what is sent meanwhile starts anew, with a mark of its own. */
  #leaving = false;
  #askers = 0;
  #mayRun: ToolHooks["before"];
  #runId = newId();
  #seq = 0;
  #controller = new AbortController();
  #work: Promise<void> | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.session = options.session;
    this.#history = new History(options.session);
    this.permissions = new Permissions((event) => this.#tell(event));
  }

  get busy(): boolean {
    return this.#work !== undefined;
  }

  /** Whether nothing is under way and nobody watches. */
  get forgotten(): boolean {
    return !this.busy && this.#listeners.size === 0;
  }

  /** Whether somebody who watches can be asked for permission. */
  get canAsk(): boolean {
    return this.#askers > 0;
  }

  /** The run that is under way, or that the next message will start. */
  get runId(): string {
    return this.#runId;
  }

  /** How many events of the run under way were told; 0 between runs. */
  get seq(): number {
    return this.#seq;
  }

  /** Sees everything that happens from here on. `asks`: it can be asked for permission. Returns how to stop. */
  watch(listener: Listener, { asks = false } = {}): () => void {
    this.#listeners.add(listener);
    if (asks) this.#askers++;
    return () => {
      if (this.#listeners.delete(listener) && asks) this.#askers--;
    };
  }

  /** Fulfilled when the message is on disk. */
  async send(message: UserMessage, mode: QueueMode = "steer"): Promise<Accepted> {
    while (this.#leaving) await this.#work;
    const given = { ...message, id: message.id ?? newId() };
    const accepted = { message: given, runId: this.#runId };
    this.#underWay.add(given.id);
    if (this.busy) {
      await this.#enqueue(given, mode);
      return accepted;
    }
    const stored = new Promise<void>((resolve, reject) => {
      this.#unstored.set(given.id, { message: given, stored: resolve, failed: reject });
    });
    this.#queue.push(given, mode);
    this.#start();
    await stored;
    return accepted;
  }

  /**
   * The same, for whoever may have to say it twice: the second time it is told what became of the first, also by another
   * process than the one that took it.
   */
  async sendOnce(idempotencyKey: string, message: UserMessage, mode?: QueueMode): Promise<Accepted> {
    const under = this.#once.get(idempotencyKey);
    if (under !== undefined) return under;
    const sending = this.#sendFirst(idempotencyKey, message, mode);
    this.#once.set(idempotencyKey, sending);
    try {
      return await sending;
    } finally {
      // From here on the log knows.
      this.#once.delete(idempotencyKey);
    }
  }

  async #sendFirst(idempotencyKey: string, message: UserMessage, mode?: QueueMode): Promise<Accepted> {
    await this.#history.read();
    const before = this.#history.sentOnce(idempotencyKey);
    if (before !== undefined) return before;
    const sent = { idempotencyKey, runId: this.#runId };
    return this.send({ ...message, ext: { ...message.ext, sent } }, mode);
  }

  /** Goes on with what a process that is gone has left unanswered; fulfilled when that is done. */
  async resume(): Promise<void> {
    this.#start();
    await this.idle();
  }

  /** Stops the run that is under way. What waits in the queue is answered by the next one. */
  abort(): void {
    if (this.busy) this.#controller.abort();
  }

  /** Fulfilled when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  /** The transcript as it is on disk. */
  messages(): Promise<readonly AgentMessage[]> {
    return this.#history.read();
  }

  async describe(meta: SessionMeta): Promise<void> {
    await this.session.append([noteMessage({ type: "dragoman/meta", data: meta }, this.#now())]);
  }

  /** Has the model summarise what is older; false when there is nothing to summarise. */
  async compact(signal?: AbortSignal): Promise<boolean> {
    const messages = await this.#history.read();
    const { model } = await this.#options.setup(metaOf(messages), this);
    const line = await compact({ messages, model, ...(signal === undefined ? {} : { signal }) });
    if (line !== undefined) await this.#history.append([line]);
    return line !== undefined;
  }

  /** Shows the model again what the last compaction summarised; false when there is none. */
  async undoCompaction(): Promise<boolean> {
    const last = lastCompaction(await this.#history.read());
    const id = last?.compaction.id;
    if (id === undefined) return false;
    await this.#history.append([
      noteMessage({ type: "dragoman/undo-compaction", data: { id } }, this.#now()),
    ]);
    return true;
  }

  async #enqueue(message: UserMessage, mode: QueueMode): Promise<void> {
    const kept = this.#keep(message);
    this.#keeping.add(kept);
    try {
      await kept;
      this.#queue.push(message, mode);
    } finally {
      this.#keeping.delete(kept);
    }
    this.#tell({ type: "queued", message, mode });
    this.#start();
  }

  async #keep(message: UserMessage): Promise<void> {
    await markWaiting(this.#options.markPath);
    await this.session.append([noteMessage({ type: "dragoman/inbox", data: { message } }, this.#now())]);
  }

  #tell(event: ConversationEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #start(): void {
    this.#work ??= this.#serve().finally(() => {
      this.#work = undefined;
      this.#leaving = false;
      if (this.#queue.size > 0) this.#start();
    });
  }

  /** Holds the lease while there is something to answer. */
  async #serve(): Promise<void> {
    const mark = new RunMark(this.#options.markPath, () => this.#history.lastId);
    try {
      const lease = await this.#options.lease(() => this.#keepAll(), this.#controller.signal);
      try {
        const { waiting, unanswered } = await recover(
          this.session,
          this.#history,
          this.#options.markPath,
          this.#now,
        );
        await mark.open();
        this.#adopt(waiting);
        if (unanswered) await this.#run([], mark);
        for (let next = await this.#next(); next.length > 0; next = await this.#next()) {
          await this.#run(next, mark);
        }
        await mark.remove();
      } finally {
        await mark.leave();
        await lease.release();
      }
    } catch (error) {
      // What is not in the log was not accepted; what is, is found there by whoever opens the session next.
      while (this.#queue.takePrompts().length > 0);
      this.#underWay.clear();
      // Stopped while it waited for the lease, there was no run that could have used the signal up.
      if (this.#controller.signal.aborted) this.#controller = new AbortController();
      for (const { failed } of this.#unstored.values()) failed(error);
      this.#unstored.clear();
      this.#options.onFailure?.(error);
    }
  }

  /** What to answer next. Another process may have left something, or taken care of what waits here. */
  async #next(): Promise<UserMessage[]> {
    for (;;) {
      this.#adopt(waitingIn(await this.#history.read()));
      const prompts = this.#queue.takePrompts();
      this.#leaving = prompts.length === 0 && this.#keeping.size === 0;
      if (prompts.length > 0 || this.#leaving) return prompts;
      await Promise.allSettled(this.#keeping);
    }
  }

  #adopt(waiting: readonly UserMessage[]): void {
    this.#queue.drop(({ id }) => id !== undefined && this.#history.has(id));
    for (const message of waiting) {
      if (message.id === undefined || this.#underWay.has(message.id)) continue;
      this.#underWay.add(message.id);
      this.#queue.push(message, "followup");
    }
  }

  /** Somebody else runs the session: what was sent is kept for when they are done. */
  async #keepAll(): Promise<void> {
    for (const { message, stored } of this.#unstored.values()) {
      await this.#keep(message);
      stored();
    }
    this.#unstored.clear();
  }

  async #run(prompts: readonly UserMessage[], mark: RunMark): Promise<void> {
    const runId = this.#runId;
    this.#tell({ type: "run_start", runId, seq: ++this.#seq });
    // Only a run that is aborted before anything was said has no turn that ends.
    let ending: Ending = { outcome: "aborted" };
    try {
      for await (const event of run(prompts, await this.#runOptions())) {
        if (event.type === "message_start" && event.message.role === "assistant") mark.begin(event.message);
        if (event.type === "message_update") await mark.push(event.assistantMessageEvent);
        this.#show(event);
        ending = endingAfter(event, ending);
        if (event.type === "message_end" && event.message.role === "assistant") await mark.clear();
      }
      // A run that was stopped before anything was said has no turn that could tell.
      if (this.#controller.signal.aborted && ending.error === undefined) ending = { outcome: "aborted" };
    } catch (error) {
      ending = { outcome: "error", error: wordsOf(error) };
      throw error;
    } finally {
      await this.#options.onRest?.(await this.#history.read());
      this.#tell({ type: "run_end", runId, seq: ++this.#seq, ...ending });
      this.#seq = 0;
      this.#runId = newId();
      this.#controller = new AbortController();
    }
  }

  async #runOptions(): Promise<RunOptions> {
    const history = await this.#history.read();
    const { model, systemPrompt, tools, rules, maxTurns, call } = await this.#options.setup(
      metaOf(history),
      this,
    );
    this.#mayRun ??= this.#permissionHook(rules);
    return {
      model,
      systemPrompt,
      tools,
      history,
      append: (messages) => this.#append(messages),
      queue: this.#queue,
      hooks: { before: this.#mayRun },
      signal: this.#controller.signal,
      call,
      ...(maxTurns === undefined ? {} : { maxTurns }),
    };
  }

  /** Whether there is somebody to ask is looked at when there is something to ask. */
  #permissionHook(rules: readonly PermissionRule[]): NonNullable<ToolHooks["before"]> {
    const asking = permissionHook(rules, this.permissions.ask);
    const silent = permissionHook(rules);
    return (...call) => (this.canAsk ? asking : silent)(...call);
  }

  #show(event: AgentEvent): void {
    this.live.see(event);
    const stored = event.type === "message_end" ? this.#history.placeOf(event.message) : undefined;
    const place = stored === undefined ? {} : { stored };
    this.#tell({ type: "agent", runId: this.#runId, seq: ++this.#seq, event, ...place });
  }

  async #append(messages: readonly AgentMessage[]): Promise<readonly AgentMessage[]> {
    const stored = await this.#history.append(messages);
    for (const { id } of stored) {
      if (id === undefined) continue;
      this.#underWay.delete(id);
      this.#unstored.get(id)?.stored();
      this.#unstored.delete(id);
    }
    return stored;
  }
}

interface Ending {
  outcome: Outcome;
  error?: string;
}

function endingAfter(event: AgentEvent, before: Ending): Ending {
  if (event.type !== "turn_end") return before;
  const { message } = event;
  if (message.role === "error") return { outcome: "error", error: message.content };
  if (message.role !== "assistant") return before;
  const { stopReason, errorMessage } = message;
  if (stopReason === "aborted") return { outcome: "aborted" };
  if (stopReason !== "error") return { outcome: "done" };
  return { outcome: "error", ...(errorMessage === undefined ? {} : { error: errorMessage }) };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
