import { MessageQueue, type QueueMode } from "../agent/queue.js";
import { run } from "../agent/run.js";
import { newId } from "../core/ids.js";
import { noteMessage, type SessionMeta } from "../core/notes.js";
import type { AgentEvent, AgentMessage, UserMessage } from "../core/types.js";
import type { Lease, SessionLog } from "../log/types.js";
import { History } from "./history.js";
import { LiveState } from "./live-state.js";
import { PartialAnswer } from "./partial-answer.js";
import { Permissions } from "./permissions.js";
import { recover } from "./recover.js";
import type { AgentSetup, ConversationEvent, Outcome } from "./types.js";

export interface ConversationOptions {
  session: SessionLog;
  /** Where an answer is kept while it arrives. */
  partialPath: string;
  setup(): Promise<AgentSetup>;
  /** Waits for the right to run the session; the callback is told when it has to. */
  lease(onWait: () => Promise<void>, signal: AbortSignal): Promise<Lease>;
  /** After each turn. */
  onTurn?(): Promise<void>;
  now?: () => number;
}

/** A message that was accepted: it is on disk, and will be answered. */
export interface Accepted {
  message: UserMessage & { id: string };
  /** The run that answers it, or that was under way when it came. */
  runId: string;
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
  readonly #unstored = new Map<string, { message: UserMessage; stored: () => void; failed: (error: unknown) => void }>();
  #askers = 0;
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

  /** The run that is under way, or that the next message will start. */
  get runId(): string {
    return this.#runId;
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
    const given = { ...message, id: message.id ?? newId() };
    const accepted = { message: given, runId: this.#runId };
    if (this.busy) {
      await this.#keep(given);
      this.#queue.push(given, mode);
      this.#tell({ type: "queued", message: given, mode });
      this.#start();
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

  /** Goes on with what a process that is gone has left unanswered. True when there was something. */
  async resume(): Promise<boolean> {
    if (this.busy) return true;
    this.#start();
    await this.#work;
    return this.#seq > 0;
  }

  /** Stops the run that is under way. What waits in the queue is answered by the next one. */
  abort(): void {
    this.#controller.abort();
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

  #keep(message: UserMessage): Promise<unknown> {
    return this.session.append([noteMessage({ type: "dragoman/inbox", data: { message } }, this.#now())]);
  }

  #tell(event: ConversationEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #start(): void {
    this.#work ??= this.#serve().finally(() => {
      this.#work = undefined;
      if (this.#queue.size > 0) this.#start();
    });
  }

  /** Holds the lease while there is something to answer. */
  async #serve(): Promise<void> {
    try {
      const lease = await this.#options.lease(() => this.#keepAll(), this.#controller.signal);
      try {
        const left = await recover(this.session, this.#history, this.#options.partialPath, this.#now());
        for (const message of left.waiting) this.#queue.push(message, "followup");
        if (left.unanswered && this.#queue.size === 0) await this.#run([]);
        for (let prompts = this.#queue.takePrompts(); prompts.length > 0; prompts = this.#queue.takePrompts()) {
          await this.#run(prompts);
        }
      } finally {
        await lease.release();
      }
    } catch (error) {
      for (const { failed } of this.#unstored.values()) failed(error);
      this.#unstored.clear();
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

  async #run(prompts: readonly UserMessage[]): Promise<void> {
    this.#controller = new AbortController();
    this.#seq = 0;
    const runId = this.#runId;
    const partial = new PartialAnswer(this.#options.partialPath, () => this.#history.lastId);
    this.#tell({ type: "run_start", runId, seq: ++this.#seq });
    let ending: { outcome: Outcome; error?: string } = { outcome: "error" };
    try {
      const { model, systemPrompt, tools, hooks, maxTurns, call } = await this.#options.setup();
      const events = run(prompts, {
        model,
        systemPrompt,
        tools,
        history: await this.#history.read(),
        append: (messages) => this.#append(messages),
        queue: this.#queue,
        hooks: hooks(this.#askers > 0 ? (...question) => this.permissions.ask(...question) : undefined),
        signal: this.#controller.signal,
        call,
        ...(maxTurns === undefined ? {} : { maxTurns }),
      });
      for await (const event of events) {
        await this.#see(event, partial);
        ending = endingAfter(event, ending);
      }
    } catch (error) {
      ending = { outcome: "error", error: error instanceof Error ? error.message : String(error) };
      throw error;
    } finally {
      await partial.clear();
      this.#tell({ type: "run_end", runId, seq: ++this.#seq, ...ending });
      this.#runId = newId();
    }
  }

  async #see(event: AgentEvent, partial: PartialAnswer): Promise<void> {
    if (event.type === "message_update") await partial.push(event.assistantMessageEvent);
    this.live.see(event);
    const stored = event.type === "message_end" ? this.#history.placeOf(event.message) : undefined;
    const runId = this.#runId;
    this.#tell({ type: "agent", runId, seq: ++this.#seq, event, ...(stored === undefined ? {} : { stored }) });
    if (event.type === "message_end" && event.message.role === "assistant") await partial.clear();
    if (event.type === "turn_end") await this.#options.onTurn?.();
  }

  async #append(messages: readonly AgentMessage[]): Promise<readonly AgentMessage[]> {
    const stored = await this.#history.append(messages);
    for (const { id } of stored) {
      if (id === undefined) continue;
      this.#unstored.get(id)?.stored();
      this.#unstored.delete(id);
    }
    return stored;
  }
}

function endingAfter(event: AgentEvent, before: { outcome: Outcome; error?: string }) {
  if (event.type !== "turn_end") return before;
  const { message } = event;
  if (message.role === "error") return { outcome: "error" as const, error: message.content };
  if (message.role !== "assistant") return before;
  const { stopReason, errorMessage } = message;
  if (stopReason === "aborted") return { outcome: "aborted" as const };
  if (stopReason !== "error") return { outcome: "done" as const };
  return { outcome: "error" as const, ...(errorMessage === undefined ? {} : { error: errorMessage }) };
}
