import { AnswerProgress } from "../../core/stream/answer-progress.js";
import type { AgentEvent, AgentEventLine } from "../../core/types.js";
import type { Entry, Position, SessionLog } from "../../log/types.js";
import type { LiveState } from "../live-state.js";
import type { ConversationEvent, Outcome } from "../types.js";
import type { Joined, OwnerFollower, RemoteStep } from "./owner.js";
import { StepReader } from "./step-reader.js";

/** How far back a message is looked for whose step arrives after it was stored. */
const LOOK_BACK = 100;
/** How many messages can have been stored since another gateway has read their steps. */
const RECENT = 10;

/** How long a stored message waits for its step, before it is shown without. */
const LAG_MS = 1_000;

interface MirroredRun {
  id: string;
  /** Everything up to here was emitted. */
  seq: number;
  steps: StepReader;
  /** The messages whose end was emitted. */
  ended: Set<string | undefined>;
  /** Stored messages whose step has not arrived. */
  awaited: Entry[];
  lag?: NodeJS.Timeout;
}

/** Of the link: `connecting` until it has joined for the first time, or could not. */
type State = "connecting" | "joined" | "lost" | "closed";

export interface MirrorHost {
  session: SessionLog;
  live: LiveState;
  emit(event: ConversationEvent): void;
  onFailure(error: unknown): void;
  now(): number;
}

/**
 * A run on another gateway, as events of the conversation here. Its messages are read from the store; only what the store
 * does not have comes from the other gateway, so a lost link costs tokens and no messages.
 */
export class RunMirror implements OwnerFollower {
  readonly #host: MirrorHost;
  readonly #progress = new AnswerProgress();
  readonly #onChange: () => void;
  #state: State = "connecting";
  #run: MirroredRun | undefined;
  /** Messages of steps are looked for from here on. */
  #position: Position = 0;
  /** Fulfilled when everything that has arrived was processed, in order. */
  #work: Promise<void> = Promise.resolve();

  /** @param onChange called when it has joined, when the link is lost, and when a run has begun or ended */
  constructor(host: MirrorHost, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
  }

  /** The run in progress, as far as it was emitted. */
  get run(): { id: string; seq: number } | undefined {
    return this.#run;
  }

  /** Whether the link is up. */
  get isJoined(): boolean {
    return this.#state === "joined";
  }

  /** Whether it has joined at least once, or could not. */
  get isSettled(): boolean {
    return this.#state !== "connecting";
  }

  async place(): Promise<Awaited<ReturnType<OwnerFollower["place"]>>> {
    // Otherwise, steps that wait for the store would be sent again from a number in the middle of an answer.
    await this.#work;
    const run = this.#run;
    // The messages before the end of the store come from there.
    const position = await this.#host.session.end();
    return { position, ...(run === undefined ? {} : { run: { runId: run.id, seq: run.seq } }) };
  }

  onJoin(joined: Joined): void {
    this.#enqueue(() => this.#join(joined).finally(() => this.#setState("joined")));
  }

  onStep(step: RemoteStep): void {
    this.#enqueue(() => this.#step(step));
  }

  onLost(): void {
    this.#enqueue(() => {
      this.#setState("lost");
      this.#emitAwaited();
    });
  }

  /** A message was stored. If its step is late or the link is down, it is shown without. */
  observeStored(entry: Entry): void {
    this.#enqueue(() => {
      const run = this.#run;
      if (run === undefined) this.#markStored([entry]);
      else if (isPart(entry) && !run.ended.has(entry.message.id)) {
        run.awaited.push(entry);
        if (this.isJoined)
          run.lag ??= setTimeout(() => this.#enqueue(() => this.#emitAwaited()), LAG_MS).unref();
        else this.#emitAwaited();
      }
    });
  }

  #emitAwaited(): void {
    const run = this.#run;
    if (run === undefined) return;
    clearTimeout(run.lag);
    delete run.lag;
    for (const entry of run.awaited.splice(0)) this.#emitEnd(run, run.seq + 1, entry);
  }

  /** Steps of these answers can still be on their way. They would show again what is shown as stored. */
  #markStored(entries: readonly Entry[]): void {
    for (const { message } of entries) if (message.role === "assistant") this.#progress.complete(message.id);
  }

  /** The gateway that ran it is gone, or this one runs the session from now on. */
  endRun(ending: { outcome: Outcome; error?: string }): void {
    const run = this.#run;
    if (run === undefined) return;
    clearTimeout(run.lag);
    this.#run = undefined;
    this.#progress.reset();
    this.#host.live.clear();
    this.#host.emit({ type: "run_end", runId: run.id, seq: run.seq + 1, ...ending });
    this.#onChange();
  }

  /** Nothing is emitted from here on. */
  close(): void {
    this.#state = "closed";
    if (this.#run === undefined) return;
    clearTimeout(this.#run.lag);
    this.#run = undefined;
    this.#host.live.clear();
  }

  #setState(state: "joined" | "lost"): void {
    if (this.#state === "closed") return;
    this.#state = state;
    this.#onChange();
  }

  /** Only the end of a message has to wait, for the store. */
  #enqueue(job: () => void | Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#state === "closed" ? undefined : job()))
      .catch(this.#host.onFailure);
  }

  async #join({ run, position, ended }: Joined): Promise<void> {
    const before = this.#run;
    if (before !== undefined && before.id !== run?.runId) {
      this.endRun(ended ?? { outcome: "error", error: "the link to the gateway that ran it was lost" });
    }
    if (run === undefined) {
      this.#position = position;
      return;
    }
    const current = this.#run;
    if (current === undefined) {
      this.#position = position;
      // If it has just begun, its first step is among those that follow.
      if (run.seq === 0) return;
      this.#markStored(await this.#host.session.last(RECENT));
      this.#begin(run.runId, run.seq);
    } else if (run.seq > current.seq) await this.#emitStored(current, run.seq, position);
    else if (run.seq < current.seq) this.#progress.repeat();
  }

  #begin(id: string, seq: number): void {
    if (this.#state === "closed") return;
    const { live, now, emit } = this.#host;
    this.#run = { id, seq, steps: new StepReader(live, now), ended: new Set(), awaited: [] };
    this.#progress.reset();
    live.running = true;
    emit({ type: "run_start", runId: id, seq, ...(seq > 1 ? { fromSeq: 1 } : {}) });
    this.#onChange();
  }

  /** Messages were stored while the link was down. Their steps are missing up to a number. */
  async #emitStored(run: MirroredRun, upTo: number, until: Position): Promise<void> {
    this.#progress.reset();
    run.steps.skipAnswer();
    this.#host.live.tools.clear();
    const entries: Entry[] = [];
    for await (const entry of this.#host.session.read({ from: this.#position })) {
      if (entry.position >= until) break;
      if (isPart(entry)) entries.push(entry);
    }
    // Each of them had a step of its own, at least.
    for (const [index, entry] of entries.slice(0, upTo - run.seq).entries()) {
      const isLast = index === entries.length - 1;
      this.#emitEnd(run, isLast ? upTo : run.seq + 1, entry);
    }
    this.#position = Math.max(this.#position, until);
  }

  #step({ runId, seq, step }: RemoteStep): void | Promise<void> {
    if (step.type === "run_start") {
      // The end of a run before it was lost.
      if (this.#run !== undefined && this.#run.id !== runId) {
        this.endRun({ outcome: "error", error: "its end was not reported" });
      }
      if (this.#run === undefined) this.#begin(runId, seq);
      return;
    }
    const run = this.#run;
    if (run === undefined || run.id !== runId) return;
    if (step.type === "run_end") {
      const { outcome, error } = step;
      this.endRun({ outcome, ...(error === undefined ? {} : { error }) });
      return;
    }
    if (step.type === "message_end") return this.#end(run, seq, step.message.id);
    const news = this.#progress.accept<Exclude<AgentEventLine, { type: "message_end" }>>(step);
    if (news === undefined) return;
    // Its number was used before, so what is new of it has no number.
    if (seq <= run.seq) run.steps.skipAnswer();
    const event = run.steps.read(news);
    if (event !== undefined && seq > run.seq) this.#emit(run, seq, event);
  }

  async #end(run: MirroredRun, seq: number, id: string | undefined): Promise<void> {
    if (id === undefined || run.ended.has(id)) return;
    const entry = run.awaited.find(({ message }) => message.id === id) ?? (await this.#find(id));
    if (entry !== undefined && seq > run.seq) this.#emitEnd(run, seq, entry);
  }

  #emitEnd(run: MirroredRun, seq: number, { message, position, next }: Entry): void {
    // It has ended while the store was read.
    if (this.#run !== run) return;
    run.awaited = run.awaited.filter((entry) => entry.position > position);
    this.#position = Math.max(this.#position, next);
    run.ended.add(message.id);
    if (message.role === "assistant") this.#progress.complete(message.id);
    this.#emit(run, seq, run.steps.end(message), { position, next });
  }

  /** Steps that have no event here are part of the next one. */
  #emit(run: MirroredRun, seq: number, event: AgentEvent, stored?: { position: Position; next: Position }) {
    const fromSeq = run.seq + 1;
    run.seq = seq;
    this.#host.live.apply(event);
    this.#host.emit({
      type: "agent",
      runId: run.id,
      seq,
      ...(seq > fromSeq ? { fromSeq } : {}),
      event,
      ...(stored === undefined ? {} : { stored }),
    });
  }

  async #find(id: string): Promise<Entry | undefined> {
    const { session } = this.#host;
    for await (const entry of session.read({ from: this.#position })) {
      if (entry.message.id === id) return entry;
    }
    return (await session.last(LOOK_BACK)).find(({ message }) => message.id === id);
  }
}

/** Whether a message is part of a run: its end is one of the run's steps. */
function isPart({ message: { role } }: Entry): boolean {
  return role === "assistant" || role === "user" || role === "toolResult";
}
