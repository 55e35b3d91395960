import type { QueueMode } from "../agent/queue.js";
import { Suspended } from "../agent/suspended.js";
import { newId } from "../core/ids.js";
import { type Border, noteMessage, type SessionMeta } from "../core/message/notes.js";
import type { TraceContext } from "../core/trace-context.js";
import type { AgentMessage, CustomMessage, Loss, StatusMessage, UserMessage } from "../core/types.js";
import { closed } from "../log/refusals.js";
import type { Entry, Lease, SessionLog } from "../log/types.js";
import { Backlog } from "./backlog.js";
import { summarise, undoLastCompaction } from "./compaction.js";
import type { ConversationOptions } from "./conversation-options.js";
import { CurrentRun } from "./current-run.js";
import { type Elsewhere, elsewhereOf } from "./elsewhere/elsewhere.js";
import { EventListeners, type Listener } from "./event-listeners.js";
import { History } from "./history.js";
import { LiveState } from "./live-state.js";
import { LossLedger } from "./losses.js";
import { OnceSender } from "./once-sender.js";
import { Permissions } from "./permissions.js";
import { recover } from "./recover.js";
import { RunRecorder } from "./run-recorder.js";
import { Runner } from "./runner.js";
import type { Accepted, ConversationEvent } from "./types.js";

/**
 * An open session. Its agent answers the messages sent to it, one run at a time, and every watcher receives the same events.
 * An accepted message survives the process: it is in the log before `send` resolves.
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
  #history: History;
  readonly #backlog: Backlog;
  readonly #losses: LossLedger;
  readonly #listeners: EventListeners;
  readonly #once: OnceSender;
  readonly #elsewhere: Elsewhere | undefined;
  readonly #current = new CurrentRun();
  readonly #runner: Runner;
  #lease: Lease | undefined;
  #work: Promise<void> | undefined;
  #closing = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#listeners = new EventListeners(options.onFailure);
    this.session = options.session;
    this.#history = this.#newHistory();
    this.#backlog = new Backlog({ session: options.session, history: () => this.#history });
    this.#once = new OnceSender({
      history: () => this.#history,
      backlog: this.#backlog,
      released: () => this.#released(),
      runIdFor: (messageId) => this.#runIdFor(messageId),
      send: (message, mode) => this.send(message, mode),
      start: () => this.#start(),
    });
    this.#losses = new LossLedger({
      history: () => this.#history,
      onLosses: options.onLosses,
      onStored: (record) => this.#emit({ type: "losses", ...record }),
      onFailure: options.onFailure,
    });
    this.permissions = new Permissions({
      ...options.questions,
      session: options.session,
      append: (note) => this.#appendNote(note),
      emit: (event) => {
        this.#emit(event);
        options.onChange?.(this);
      },
      onFailure: options.onFailure,
    });
    const host = { live: this.live, emit: (event: ConversationEvent) => this.#emit(event) };
    this.#elsewhere = elsewhereOf(options, {
      ...host,
      runsHere: () => this.runsHere,
    });
    this.#runner = new Runner({
      ...host,
      history: () => this.#history,
      setup: () => options.setup(this.#history.meta, this),
      backlog: this.#backlog,
      current: this.#current,
      losses: this.#losses,
      permissions: this.permissions,
      sessionId: options.session.id,
      telemetry: options.telemetry,
      onUserMessages: () => options.onChange?.(this),
      onRunEnd: async (messages, systemPrompt) => options.onRunEnd?.(messages, systemPrompt),
      onFailure: options.onFailure,
    });
  }

  /** Whether a run is in progress or about to begin, here or on another gateway that shares the store. */
  get busy(): boolean {
    return this.runsHere || this.#elsewhere?.busy === true;
  }

  /** Whether this process runs it, or is about to. After the last run, the lease may not be released yet. */
  get runsHere(): boolean {
    return this.#work !== undefined && !(this.#current.between && this.#backlog.isEmpty);
  }

  /** The part of it that happens on another gateway; undefined if this one shares its store with none. */
  get elsewhere(): Elsewhere | undefined {
    return this.runsHere ? undefined : this.#elsewhere;
  }

  /** Whether this process has no lease and no one watches. */
  get unused(): boolean {
    return this.#work === undefined && this.#listeners.size === 0;
  }

  /** Whether the session has to be opened again, because another program has changed its file. */
  get lost(): boolean {
    return this.#history.lost && this.#work === undefined;
  }

  /** The run in progress, or the one that is about to begin. */
  get runId(): string {
    return this.elsewhere?.run?.id ?? this.#current.id;
  }

  /** The number of events emitted in the current run; 0 between runs. */
  get seq(): number {
    return this.elsewhere?.run?.seq ?? this.#current.seq;
  }

  /** The token or channel account that sent the last message of a user; `local` if neither did. It pays for the answer. */
  get payer(): string {
    return this.#history.payer;
  }

  /** The place of the run in progress in a trace; undefined if there is none, or it is not traced. */
  get trace(): TraceContext | undefined {
    return this.#runner.trace;
  }

  /** Receives every event from now on. `asks`: the watcher can be asked for permission. Returns a function that stops watching. */
  watch(listener: Listener, { asks = false } = {}): () => void {
    const removeApprover = asks ? this.permissions.addApprover() : undefined;
    this.#listeners.add(listener);
    const unwatch = this.#elsewhere?.watch();
    return () => {
      if (!this.#listeners.remove(listener)) return;
      removeApprover?.();
      unwatch?.();
    };
  }

  /** Another process has stored a message. */
  observeForeign(entry: Entry): void {
    this.#elsewhere?.observeForeign(entry);
  }

  /** Fulfilled when the message is on disk. */
  async send(message: UserMessage, mode: QueueMode = "steer"): Promise<Accepted> {
    if (this.#releasing !== undefined) await this.#released();
    if (this.#closing) throw closed(this.session.id);
    const given = { ...message, id: message.id ?? newId() };
    const accepted = { message: given, runId: this.#runIdFor(given.id) };
    if (this.runsHere) {
      const isNew = await this.#backlog.storeAndEnqueue(given, mode);
      if (isNew) this.#emit({ type: "queued", message: given, mode });
      this.#start();
      return accepted;
    }
    this.#current.expect(given.id);
    const stored = this.#backlog.enqueue(given, mode);
    this.#start();
    await stored;
    return accepted;
  }

  /** Like `send`, but safe to retry: a second call with the same key, even in another process, returns the first's result. */
  sendOnce(idempotencyKey: string, message: UserMessage, mode?: QueueMode): Promise<Accepted> {
    return this.#once.send(idempotencyKey, message, mode);
  }

  /** Answers messages that a dead process left unanswered, then resolves. Takes over the lease, if given. */
  async resume(lease?: Lease): Promise<void> {
    if (this.#work !== undefined || this.#closing) await lease?.release();
    else this.#start(lease);
    await this.idle();
  }

  /** A message that another process has stored is for the process with the lease. False if that is not this one. */
  async adopt(messageId: string, mode: QueueMode): Promise<boolean> {
    const message = this.#work !== undefined ? await this.#backlog.enqueueStored(messageId, mode) : undefined;
    if (message === undefined) return false;
    this.#emit({ type: "queued", message, mode });
    this.#start();
    return true;
  }

  /** Aborts the current run, or the first one before it begins. The next run answers the queued messages. */
  abort(): void {
    if (this.runsHere) this.abortHere();
    else this.#elsewhere?.abort().catch(this.#options.onFailure);
  }

  /** Does so if this process runs it. False if there is nothing to abort. */
  abortHere(): boolean {
    if (!this.runsHere || this.#current.between) return false;
    this.#current.abort();
    return true;
  }

  /** Fulfilled when no run is in progress, here or on another gateway, and this process has released the lease. */
  async idle(): Promise<void> {
    while (this.#work !== undefined || this.busy) await (this.#work ?? this.#elsewhere?.idle());
  }

  /** Drops the history from memory, to be read again when needed; false while busy. */
  unload(): boolean {
    if (this.#work !== undefined) return false;
    this.#history = this.#newHistory();
    return true;
  }

  /** Aborts the current run. The next process that opens the session answers what is left. Permission requests stay open. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#suspend();
    await this.#work;
    await this.session.close();
  }

  /** The transcript as it is on disk. */
  messages(): Promise<readonly AgentMessage[]> {
    return this.#history.read();
  }

  /** The session's metadata, such as its title. */
  async meta(): Promise<Readonly<SessionMeta>> {
    const history = this.#history;
    await history.read();
    return history.meta;
  }

  /** Stores a message that no model is shown, without starting a run. Resolves when it is on disk. */
  async post(message: CustomMessage | StatusMessage): Promise<void> {
    if (this.#closing) throw closed(this.session.id);
    await this.session.append([message]);
    this.#options.onChange?.(this);
  }

  describe(meta: SessionMeta): Promise<void> {
    return this.post(noteMessage({ type: "dragoman/meta", data: meta }, Date.now()));
  }

  /** Records what a translation of this session lost: each cause is stored once, every loss is counted. Never rejects. */
  async recordLosses(border: Border, target: string, losses: readonly Loss[]): Promise<void> {
    this.#losses.add(border, target, losses);
    await this.#losses.flush();
  }

  /** Has the model summarise the older messages; false when there is nothing to summarise. */
  async compact(signal?: AbortSignal): Promise<boolean> {
    const history = this.#history;
    await history.read();
    const setup = await this.#options.setup(history.meta, this);
    const line = await summarise(history, setup, this.#runner.onLossesOf(setup.model), signal);
    await this.#losses.flush();
    if (line !== undefined) await this.#history.append([line]);
    return line !== undefined;
  }

  /** Shows the model again what the last compaction summarised; false when there is none. */
  async undoCompaction(): Promise<boolean> {
    return undoLastCompaction(this.#history);
  }

  /** Ends the run in this process. Calls that wait for an answer are left to the process that resumes it. */
  #suspend(): void {
    this.#current.abort(this.permissions.hasUnstarted ? new Suspended() : undefined);
  }

  /** The run that a message joins or begins. */
  #runIdFor(messageId: string): string {
    return this.runsHere ? this.#current.join() : (this.#elsewhere?.run?.id ?? messageId);
  }

  /** The rest of the work after the last run. A message that comes meanwhile waits for it, as if for another process. */
  get #releasing(): Promise<void> | undefined {
    return this.runsHere ? undefined : this.#work;
  }

  async #released(): Promise<void> {
    while (this.#releasing !== undefined) await this.#releasing;
  }

  #newHistory(): History {
    return new History(this.session, () => this.#options.onRead(this));
  }

  #emit(event: ConversationEvent): void {
    this.#runner.observe(event);
    this.#elsewhere?.observe(event);
    this.#listeners.emit(event);
  }

  #start(lease?: Lease): void {
    if (this.#closing || this.#work !== undefined) return;
    this.#work = this.#answerAll(lease).finally(() => {
      this.#work = undefined;
      this.#current.rest();
      if (this.#backlog.queue.size > 0) this.#start();
      else this.#options.onChange?.(this);
    });
    this.#options.onChange?.(this);
  }

  /** Holds the lease while there is something to answer. */
  async #answerAll(given?: Lease): Promise<void> {
    try {
      const leave = () => this.#backlog.leaveTo(this.#elsewhere);
      const lease = given ?? (await this.#options.lease(leave, this.#current.signal));
      if (lease === undefined) return;
      this.#lease = lease;
      const stop = () => {
        if (!this.#current.between) this.#suspend();
      };
      lease.lost.addEventListener("abort", stop);
      const mark = this.#options.mark(lease);
      const recorder = new RunRecorder(mark, () => this.#history.lastId);
      try {
        const { isUnanswered, questions } = await recover(this.session, this.#history, mark, lease);
        this.#backlog.dropStored();
        await recorder.open();
        this.permissions.restore(questions);
        if (isUnanswered && !this.#isStopped(lease)) await this.#runOnce([], recorder, lease);
        for (;;) {
          const next = this.#isStopped(lease) ? [] : await this.#backlog.nextPrompts(lease);
          if (next.length === 0) break;
          await this.#runOnce(next, recorder, lease);
        }
        lease.lost.throwIfAborted();
        if (this.#closing) this.#backlog.clear(closed(this.session.id));
        else await recorder.remove();
      } finally {
        lease.lost.removeEventListener("abort", stop);
        await recorder.close().finally(() => lease.release());
      }
    } catch (error) {
      this.#backlog.clear(error);
      this.#current.renewSignal();
      if (!(error instanceof Error && error.name === "AbortError")) this.#options.onFailure(error);
    }
  }

  /** Whether the messages that are left are another process's to answer. */
  #isStopped({ lost }: Lease): boolean {
    return this.#closing || lost.aborted;
  }

  async #runOnce(prompts: readonly UserMessage[], recorder: RunRecorder, lease: Lease): Promise<void> {
    this.#elsewhere?.leave();
    await this.#runner.runOnce(prompts, recorder, lease);
  }

  /** Refused if another process has the lease by now. */
  async #appendNote(note: CustomMessage): Promise<void> {
    await this.#history.append([note], this.#lease === undefined ? {} : { under: this.#lease });
  }
}
