import type { QueueMode } from "../agent/queue.js";
import { run } from "../agent/run.js";
import { Suspended } from "../agent/suspended.js";
import type { ToolHooks } from "../agent/types.js";
import { wordsOf } from "../core/error.js";
import { newId } from "../core/ids.js";
import { type Border, noteMessage, type SessionMeta } from "../core/message/notes.js";
import type {
  AgentEvent,
  AgentMessage,
  CustomMessage,
  Loss,
  StatusMessage,
  UserMessage,
} from "../core/types.js";
import { closed } from "../log/refusals.js";
import type { Lease, SessionLog } from "../log/types.js";
import { Backlog } from "./backlog.js";
import { summarise, undoLastCompaction } from "./compaction.js";
import type { ConversationOptions } from "./conversation-options.js";
import { CurrentRun } from "./current-run.js";
import { type Ending, endingAfter } from "./ending.js";
import { EventListeners, type Listener } from "./event-listeners.js";
import { History } from "./history.js";
import { LiveState } from "./live-state.js";
import { LossLedger } from "./losses.js";
import { permissionHooks } from "./permission-hooks.js";
import { Permissions } from "./permissions.js";
import { recover } from "./recover.js";
import { RunRecorder } from "./run-recorder.js";
import { SendsByKey } from "./sends-by-key.js";
import { sentMark } from "./sent-mark.js";
import type { Accepted, AgentSetup, ConversationEvent } from "./types.js";

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
  readonly #sending = new SendsByKey();
  #hooks: ToolHooks | undefined;
  #systemPrompt: string | undefined;
  readonly #current = new CurrentRun();
  #lease: Lease | undefined;
  #work: Promise<void> | undefined;
  #closing = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#listeners = new EventListeners(options.onFailure);
    this.session = options.session;
    this.#history = this.#newHistory();
    this.#backlog = new Backlog({ session: options.session, history: () => this.#history });
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
  }

  get busy(): boolean {
    return this.#work !== undefined;
  }

  /** Whether no run is in progress and no one watches. */
  get unused(): boolean {
    return !this.busy && this.#listeners.size === 0;
  }

  /** Whether the session has to be opened again, because another program has changed its file. */
  get lost(): boolean {
    return this.#history.lost && !this.busy;
  }

  /** The run in progress, or the one that the next message will start. */
  get runId(): string {
    return this.#current.id;
  }

  /** The number of events emitted in the current run; 0 between runs. */
  get seq(): number {
    return this.#current.seq;
  }

  /** The token or channel account that sent the last message of a user; `local` if neither did. It pays for the answer. */
  get payer(): string {
    return this.#history.payer;
  }

  /** Receives every event from now on. `asks`: the watcher can be asked for permission. Returns a function that stops watching. */
  watch(listener: Listener, { asks = false } = {}): () => void {
    this.#listeners.add(listener);
    const removeApprover = asks ? this.permissions.addApprover() : undefined;
    return () => {
      if (this.#listeners.remove(listener)) removeApprover?.();
    };
  }

  /** Fulfilled when the message is on disk. */
  async send(message: UserMessage, mode: QueueMode = "steer"): Promise<Accepted> {
    if (this.#closing) throw closed(this.session.id);
    const given = { ...message, id: message.id ?? newId() };
    const accepted = { message: given, runId: this.#current.id };
    if (this.busy) {
      const isNew = await this.#backlog.storeAndEnqueue(given, mode);
      if (isNew) this.#emit({ type: "queued", message: given, mode });
      this.#start();
      return accepted;
    }
    const stored = this.#backlog.enqueue(given, mode);
    this.#start();
    await stored;
    return accepted;
  }

  /** Like `send`, but safe to retry: a second call with the same key, even in another process, returns the first's result. */
  sendOnce(idempotencyKey: string, message: UserMessage, mode?: QueueMode): Promise<Accepted> {
    return this.#sending.send(idempotencyKey, () => this.#sendFirst(idempotencyKey, message, mode));
  }

  async #sendFirst(idempotencyKey: string, message: UserMessage, mode?: QueueMode): Promise<Accepted> {
    const history = this.#history;
    await history.read();
    const before = history.findSent(idempotencyKey);
    if (before !== undefined) {
      if (await this.#backlog.adopt(before.message)) this.#start();
      return before;
    }
    const sent = { ...sentMark(message), idempotencyKey, runId: this.#current.id };
    const accepted = await this.send({ ...message, ext: { ...message.ext, sent } }, mode);
    // Another process may have accepted the same message meanwhile.
    await this.#history.read();
    return this.#history.findSent(idempotencyKey) ?? accepted;
  }

  /** Answers messages that a dead process left unanswered, then resolves. Takes over the lease, if given. */
  async resume(lease?: Lease): Promise<void> {
    if (this.busy || this.#closing) await lease?.release();
    else this.#start(lease);
    await this.idle();
  }

  /** Aborts the current run, or the first one before it begins. The next run answers the queued messages. */
  abort(): void {
    if (this.busy) this.#current.abortUnlessBetweenRuns();
  }

  /** Fulfilled when no run is in progress. */
  async idle(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  /** Drops the history from memory, to be read again when needed; false while busy. */
  unload(): boolean {
    if (this.busy) return false;
    this.#history = this.#newHistory();
    return true;
  }

  /**
   * Aborts the current run. The next process that opens the session answers unanswered messages. Permission requests stay open.
   */
  async close(): Promise<void> {
    this.#closing = true;
    this.#suspend();
    await this.idle();
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

  /**
   * Records what a translation of this session lost: each cause is stored once, every loss is counted. Never rejects.
   *
   * @example
   * await conversation.recordLosses("channel", "telegram", losses);
   */
  async recordLosses(border: Border, target: string, losses: readonly Loss[]): Promise<void> {
    this.#losses.add(border, target, losses);
    await this.#losses.flush();
  }

  /** Has the model summarise the older messages; false when there is nothing to summarise. */
  async compact(signal?: AbortSignal): Promise<boolean> {
    const history = this.#history;
    await history.read();
    const setup = await this.#options.setup(history.meta, this);
    const line = await summarise(history, setup, this.#onLossesOf(setup.model), signal);
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

  #newHistory(): History {
    return new History(this.session, () => this.#options.onRead(this));
  }

  #emit(event: ConversationEvent): void {
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
      const lease =
        given ?? (await this.#options.lease(() => this.#backlog.storeAll(), this.#current.signal));
      this.#lease = lease;
      const stop = () => this.#suspend();
      lease.lost.addEventListener("abort", stop);
      const mark = this.#options.mark(lease);
      const recorder = new RunRecorder(mark, () => this.#history.lastId);
      try {
        const { isUnanswered, questions } = await recover(this.session, this.#history, mark, lease);
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
    const { id: runId } = this.#current;
    this.#emit({ type: "run_start", runId, seq: this.#current.begin() });
    // Before its first turn ends, only a thrown failure can end a run.
    let ending: Ending = { outcome: "aborted" };
    try {
      for await (const event of await this.#run(prompts, lease)) {
        if (event.type === "message_start" && event.message.role === "assistant")
          recorder.beginAnswer(event.message);
        if (event.type === "message_update") await recorder.push(event.assistantMessageEvent);
        this.#emitAgentEvent(event);
        ending = endingAfter(event, ending);
        if (event.type === "message_end" && event.message.role === "assistant") {
          await recorder.clearAnswer();
          await this.#losses.flush();
        }
      }
      // A run that was stopped while its tools ran ends with their results.
      if (this.#current.signal.aborted && ending.error === undefined) ending = { outcome: "aborted" };
    } catch (error) {
      ending = { outcome: "error", error: wordsOf(error) };
      throw error;
    } finally {
      this.live.clear();
      await this.permissions.endRun(this.#current.signal);
      await this.#losses.flush();
      await this.#updateDerived();
      this.#emit({ type: "run_end", runId, seq: this.#current.nextSeq(), ...ending });
      this.#current.end();
    }
  }

  /** Derived data can be derived again, so a failure here is reported and does not fail the run. */
  async #updateDerived(): Promise<void> {
    try {
      await this.#options.onRunEnd?.(await this.#history.read(), this.#systemPrompt);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  async #run(prompts: readonly UserMessage[], lease: Lease): Promise<AsyncIterable<AgentEvent>> {
    const history = await this.#history.read();
    const setup = await this.#options.setup(this.#history.meta, this);
    const { model, systemPrompt, tools, rules, maxTurns, call } = setup;
    this.#systemPrompt = systemPrompt;
    this.#hooks ??= permissionHooks(this.permissions, rules, setup.run === undefined);
    return (setup.run ?? run)(prompts, {
      model,
      systemPrompt,
      tools,
      history,
      resumesCalls: this.permissions.isResumed,
      append: (messages) => this.#append(messages, lease),
      checked: true,
      queue: this.#backlog.queue,
      hooks: this.#hooks,
      signal: this.#current.signal,
      call,
      onLosses: this.#onLossesOf(model),
      ...(maxTurns === undefined ? {} : { maxTurns }),
    });
  }

  /** Stored only after the answer, so that its first token does not wait for the disk. */
  #onLossesOf({ provider, id }: AgentSetup["model"]): (losses: readonly Loss[]) => void {
    return (losses) => this.#losses.add("request", `${provider}/${id}`, losses);
  }

  #emitAgentEvent(event: AgentEvent): void {
    this.live.apply(event);
    const stored = event.type === "message_end" ? this.#history.placeOf(event.message) : undefined;
    const place = stored === undefined ? {} : { stored };
    const { id: runId } = this.#current;
    this.#emit({ type: "agent", runId, seq: this.#current.nextSeq(), event, ...place });
  }

  /** Refused if another process has the lease by now. */
  async #appendNote(note: CustomMessage): Promise<void> {
    await this.#history.append([note], this.#lease === undefined ? {} : { under: this.#lease });
  }

  async #append(messages: readonly AgentMessage[], under: Lease): Promise<readonly AgentMessage[]> {
    const stored = await this.#history.append(messages, { under });
    this.#backlog.confirmStored(stored);
    if (stored.some(({ role }) => role === "user")) this.#options.onChange?.(this);
    return stored;
  }
}
