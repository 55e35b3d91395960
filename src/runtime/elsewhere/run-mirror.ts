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

interface MirroredRun {
  id: string;
  /** Everything up to here was emitted. */
  seq: number;
  steps: StepReader;
  /** The messages whose end was emitted. */
  ended: Set<string | undefined>;
}

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
  readonly #jobs: (() => void | Promise<void>)[] = [];
  #isWorking = false;
  #isClosed = false;
  #run: MirroredRun | undefined;
  /** Messages of steps are looked for from here on. */
  #position: Position = 0;
  #isJoined = false;
  #isSettled = false;
  readonly #onChange: () => void;

  /** @param onChange called when it has joined, when the link is lost, and when a run has ended */
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
    return this.#isJoined;
  }

  /** Whether it has joined at least once, or could not. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  async place(): Promise<Awaited<ReturnType<OwnerFollower["place"]>>> {
    const run = this.#run;
    // The messages before the end of the store come from there.
    const position = await this.#host.session.end();
    return { position, ...(run === undefined ? {} : { run: { runId: run.id, seq: run.seq } }) };
  }

  onJoin(joined: Joined): void {
    this.#isJoined = true;
    this.#enqueue(() => this.#join(joined));
    this.#enqueue(() => this.#settle());
  }

  onStep(step: RemoteStep): void {
    this.#enqueue(() => this.#step(step));
  }

  /** A message was stored. While the link is down, this is the only sign of it. */
  observeStored(entry: Entry): void {
    this.#enqueue(() => {
      const run = this.#run;
      if (run === undefined) this.#markStored([entry]);
      else if (!this.#isJoined && isPart(entry)) this.#emitEnd(run, run.seq + 1, entry);
    });
  }

  /** Steps of these answers can still be on their way. They would show again what is shown as stored. */
  #markStored(entries: readonly Entry[]): void {
    for (const { message } of entries) if (message.role === "assistant") this.#progress.complete(message.id);
  }

  onLost(): void {
    this.#isJoined = false;
    this.#settle();
  }

  /** The gateway that ran it is gone, or this one runs the session from now on. */
  endRun(ending: { outcome: Outcome; error?: string }): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#progress.reset();
    this.#host.live.clear();
    this.#host.emit({ type: "run_end", runId: run.id, seq: run.seq + 1, ...ending });
    this.#onChange();
  }

  /** Nothing is emitted from here on. */
  close(): void {
    this.#isClosed = true;
    this.#jobs.length = 0;
    if (this.#run !== undefined) this.#host.live.clear();
    this.#run = undefined;
    this.#isSettled = true;
  }

  #settle(): void {
    this.#isSettled = true;
    this.#onChange();
  }

  /** Jobs are done in order. Only the end of a message has to wait, for the store. */
  #enqueue(job: () => void | Promise<void>): void {
    if (this.#isClosed) return;
    this.#jobs.push(job);
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      try {
        const done = job();
        if (done !== undefined) await done;
      } catch (error) {
        this.#host.onFailure(error);
      }
    }
    this.#isWorking = false;
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
      if (!this.#isClosed) this.#begin(run.runId, run.seq);
    } else if (run.seq > current.seq) await this.#emitStored(current, run.seq, position);
    else if (run.seq < current.seq) this.#progress.repeat();
  }

  #begin(id: string, seq: number): void {
    const { live, now, emit } = this.#host;
    this.#run = { id, seq, steps: new StepReader(live, now), ended: new Set() };
    this.#progress.reset();
    live.running = true;
    emit({ type: "run_start", runId: id, seq, ...(seq > 1 ? { fromSeq: 1 } : {}) });
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
    const entry = id === undefined ? undefined : await this.#find(id);
    if (entry === undefined || this.#run !== run || seq <= run.seq || run.ended.has(id)) return;
    this.#emitEnd(run, seq, entry);
  }

  #emitEnd(run: MirroredRun, seq: number, { message, position, next }: Entry): void {
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
