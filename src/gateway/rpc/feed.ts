import { idsOf, noteOf } from "../../core/notes.js";
import type { AgentMessage } from "../../core/types.js";
import type { Entry, Position } from "../../log/types.js";
import type { RpcCursor, RpcStored } from "../../protocol/schema.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { nameOf } from "../session-name.js";
import type { Gateway } from "../types.js";
import { ChatCount } from "./chat-events.js";
import { type FeedItem, itemsOf, type RunEnd, type StepItem } from "./feed-items.js";
import { addStep, isAnswer, type Run, runEvents, runUnderWay } from "./feed-run.js";
import { type LiveRecord, LiveTail } from "./live-tail.js";
import type { RunFollower } from "./run-follower.js";
import { type FeedEvent, frameOf, type Subscriber } from "./subscriber.js";

export interface Joined {
  messages: RpcStored[];
  live: boolean;
  cursor: RpcCursor;
  run?: { runId: string; seq: number; chatSeq: number };
}

/**
 * What happens in one conversation, made into frames once for all who listen: every stored message in the order of the log,
 * whoever wrote it, and between them the events of runs in this process.
 */
export class Feed {
  readonly sessionKey: string;
  readonly #conversation: Conversation;
  readonly #gateway: Pick<Gateway, "notes" | "now">;
  readonly #onEnd: (event: RunEnd) => void;
  readonly #subscribers = new Set<Subscriber>();
  readonly #followers = new Set<RunFollower>();
  readonly #pending: FeedItem[] = [];
  readonly #stopWatching: () => void;
  readonly #closed = new AbortController();
  readonly ready: Promise<void>;
  /** Where it begins to tell the log; at its end where this is undefined. */
  readonly #from: Position | undefined;
  /** Up to here the log was told. */
  #position: Position = 0;
  #reading = true;
  /** The run as far as it was told. */
  #run: Run | undefined;
  /** Whether a run is under way, told or not. */
  #running: boolean;

  constructor(
    conversation: Conversation,
    gateway: Pick<Gateway, "notes" | "now">,
    onEnd: (event: RunEnd) => void,
    from?: Position,
  ) {
    this.#from = from;
    this.#conversation = conversation;
    this.#gateway = gateway;
    this.#onEnd = onEnd;
    this.sessionKey = nameOf(conversation);
    // In one tick: what is under way is either in this picture or an event that follows.
    this.#stopWatching = conversation.watch((event) => this.#take(event));
    this.#run = runUnderWay(conversation, gateway.now());
    this.#running = this.#run !== undefined;
    this.ready = this.#begin();
  }

  get quiet(): boolean {
    return this.#subscribers.size === 0 && this.#followers.size === 0 && !this.#conversation.busy;
  }

  close(): void {
    this.#closed.abort();
    this.#stopWatching();
  }

  /**
   * Reads what was stored since the cursor, at most so many bytes of it, and when that is all lets the subscriber listen.
   * Without a cursor it begins with what is under way.
   */
  async join(subscriber: Subscriber, after: RpcCursor | undefined, maxBytes: number): Promise<Joined> {
    const { session } = this.#conversation;
    const messages: RpcStored[] = [];
    let position = after?.position ?? this.#position;
    let bytes = 0;
    // Refuses what is no position of this session.
    await session.last(0, { before: position });
    while (position < this.#position) {
      const target = this.#position;
      for await (const entry of session.read({ from: position })) {
        if (entry.position >= target) break;
        bytes += entry.next - entry.position;
        if (bytes > maxBytes && messages.length > 0) return { messages, live: false, cursor: { position } };
        messages.push(entry);
        position = entry.next;
      }
      // Lines that are no messages may be all that is left before it.
      position = Math.max(position, target);
    }
    subscriber.position = position;
    this.#subscribers.add(subscriber);
    const run = this.#run;
    if (run === undefined) return { messages, live: true, cursor: { position } };
    const { records, seq } = run.tail.from(after?.runId === run.id ? after.seq : undefined);
    for (const record of records) {
      for (const event of runEvents(run.id, this.sessionKey, record)) {
        if (subscriber.wants(event.event)) subscriber.send(frameOf(event));
      }
    }
    const cursor = { position, runId: run.id, seq };
    return { messages, live: true, cursor, run: { runId: run.id, seq, chatSeq: run.chat.before(records) } };
  }

  /** Lets a subscriber listen to a session from its first line, in the tick in which this feed was made. */
  joinFirst(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  /** From here on the client receives the runs that take in its messages. */
  follow(follower: RunFollower): void {
    this.#followers.add(follower);
  }

  unfollow(follower: RunFollower): void {
    this.#followers.delete(follower);
  }

  /** The client stays only while it waits for something. */
  mayLeave(follower: RunFollower): void {
    if (follower.leave()) this.#followers.delete(follower);
  }

  /** For a message that was sent before: the client joins the run that took it in, if that is under way, in the middle. */
  followAgain(follower: RunFollower, messageId: string, runId: string): void {
    const run = this.#run;
    const isTaken = run?.taken?.has(messageId) ?? run?.id === runId;
    if (run === undefined || !isTaken) {
      follower.expect(messageId);
      follower.accepted(messageId);
    } else if (follower.follow(run.id)) this.#replay(run.id, run.tail.from(undefined).records, follower);
  }

  /** Fulfilled when all of what has happened was told. Messages that another process answers are not waited for any longer. */
  told(): Promise<void> {
    const { busy } = this.#conversation;
    const abandoned = [...this.#followers].map((one) => ({ one, ids: busy ? [] : one.abandoned }));
    return new Promise((resolve) => {
      const done = () => {
        for (const { one, ids } of abandoned) {
          for (const id of ids) one.forget(id);
          this.mayLeave(one);
        }
        resolve();
      };
      this.#tell({ kind: "told", done });
    });
  }

  async #begin(): Promise<void> {
    this.#position = this.#from ?? (await this.#conversation.session.end());
    this.#reading = false;
    if (this.#from === undefined) this.#drain();
    else this.#tell({ kind: "read" });
    void this.#listen();
  }

  /** Notices what is appended outside of runs, also by other processes. */
  async #listen(): Promise<void> {
    const { signal } = this.#closed;
    try {
      for await (const _ of this.#conversation.session.tail({ from: this.#position, signal })) {
        if (!this.#running) this.#tell({ kind: "read" });
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #take(event: ConversationEvent): void {
    if (event.type === "run_start") this.#running = true;
    if (event.type === "run_end") this.#running = false;
    for (const item of itemsOf(event, this.#conversation.live, this.sessionKey)) this.#tell(item);
  }

  #tell(item: FeedItem): void {
    this.#pending.push(item);
    this.#drain();
  }

  #drain(): void {
    while (!this.#reading) {
      const next = this.#pending[0];
      if (next === undefined) return;
      // Somebody else's lines come before this one: they are told first.
      if (next.kind === "step" && next.stored !== undefined && next.stored.position > this.#position) {
        void this.#read(next.stored.position);
        return;
      }
      this.#pending.shift();
      switch (next.kind) {
        case "step":
          this.#step(next);
          break;
        case "end":
          this.#end(next.event);
          break;
        case "event":
          this.#send(next.event);
          break;
        case "told":
          next.done();
          break;
        case "read":
          void this.#read();
      }
    }
  }

  /** Tells what is in the log, up to a place or to its end; but what a run has stored, its own event tells. */
  async #read(until?: Position): Promise<void> {
    this.#reading = true;
    const { session } = this.#conversation;
    try {
      for await (const entry of session.read({ from: this.#position })) {
        const isNote = noteOf(entry.message) !== undefined;
        const isTold = until === undefined ? isNote || !this.#hasSteps : entry.position < until;
        if (!isTold || this.#closed.signal.aborted) break;
        this.#message(entry);
      }
      // Lines that are no messages are passed over.
      if (until !== undefined) this.#position = Math.max(this.#position, until);
    } catch (error) {
      this.#fail(error);
    }
    this.#reading = false;
    this.#drain();
  }

  get #hasSteps(): boolean {
    return this.#running || this.#pending.some(({ kind }) => kind === "step");
  }

  #message(entry: Entry): void {
    const { message, position, next } = entry;
    this.#position = next;
    const data = { sessionKey: this.sessionKey, position, next, message };
    this.#send({ event: "message", data }, (subscriber) => position >= subscriber.position);
  }

  #step({ runId, record, stored, said, settles }: StepItem): void {
    if (stored !== undefined && stored.position >= this.#position) this.#message(stored);
    if (record.step.type === "run_start") {
      this.#run = { id: runId, tail: new LiveTail(), chat: new ChatCount(), opening: [], taken: new Set() };
    }
    const run = this.#run;
    // It began before this feed, and its beginning is in the picture already.
    if (run === undefined || record.seq <= run.tail.last) return;
    const whole = addStep(run, record, this.#gateway.now());
    if (isAnswer(record)) delete run.opening;
    run.opening?.push(whole);
    for (const event of runEvents(runId, this.sessionKey, whole)) this.#send(event);
    if (stored !== undefined) this.#beginToFollow(run, stored.message);
    if (said !== undefined) run.said = said;
    if (settles === true) run.tail.settle();
  }

  #end(event: RunEnd): void {
    const { runId, seq, outcome, error } = event;
    const run = this.#run;
    this.#run = undefined;
    const failed = error === undefined ? {} : { error };
    const record: LiveRecord = { seq, step: { type: "run_end", outcome, ...failed } };
    for (const one of runEvents(runId, this.sessionKey, record)) this.#send(one);
    const end = (run?.chat ?? new ChatCount()).end(event, run?.said);
    this.#send({ event: "chat", data: { runId, sessionKey: this.sessionKey, ...end } });
    for (const follower of this.#followers) {
      follower.end(runId);
      this.mayLeave(follower);
    }
    this.#onEnd(event);
  }

  #beginToFollow(run: Run, stored: AgentMessage): void {
    if (stored.role !== "user") return;
    for (const id of idsOf(stored)) run.taken?.add(id);
    for (const follower of this.#followers) {
      if (!follower.begins(run.id, stored)) continue;
      this.#replay(run.id, run.opening ?? run.tail.from(undefined).records, follower);
    }
  }

  #replay(runId: string, records: readonly LiveRecord[], follower: RunFollower): void {
    if (!follower.receives(runId)) return;
    for (const event of records.flatMap((record) => runEvents(runId, this.sessionKey, record))) {
      follower.subscriber.send(frameOf(event));
    }
  }

  #send(event: FeedEvent, concerns?: (subscriber: Subscriber) => boolean): void {
    let frame: Uint8Array | undefined;
    for (const subscriber of this.#subscribers) {
      if (!subscriber.wants(event.event) || concerns?.(subscriber) === false) continue;
      frame ??= frameOf(event);
      subscriber.send(frame);
    }
    if (event.event !== "agent" && event.event !== "chat") return;
    for (const follower of this.#followers) {
      if (!follower.receives(event.data.runId)) continue;
      frame ??= frameOf(event);
      follower.subscriber.send(frame);
    }
  }

  /** Whoever listens has to ask again, and is told why it does not work. */
  #fail(error: unknown): void {
    this.#gateway.notes.error(
      { err: error, session: this.#conversation.session.id },
      "a session cannot be followed",
    );
    for (const subscriber of this.#subscribers) subscriber.close("the session cannot be followed");
    this.#subscribers.clear();
    for (const { subscriber } of this.#followers) subscriber.close("the session cannot be followed");
    this.#followers.clear();
  }
}
