import { idsOf } from "../../core/message/notes.js";
import { stepLine } from "../../core/stream/event-line.js";
import type { AgentEvent, AgentMessage } from "../../core/types.js";
import type { Entry, Position } from "../../log/types.js";
import type { RpcCursor, RpcStored } from "../../protocol/schema.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Feed, type Follower } from "../../runtime/feed.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { nameOf } from "../session-name.js";
import type { Gateway } from "../types.js";
import { ChatCount } from "./chat-events.js";
import { addStep, isAnswer, type Run, runEvents, runUnderWay } from "./feed-run.js";
import { type LiveRecord, LiveTail } from "./live-tail.js";
import type { RunFollower } from "./run-follower.js";
import { type FeedEvent, frameOf, type Subscriber } from "./subscriber.js";

export type RunEnd = Extract<ConversationEvent, { type: "run_end" }>;

export interface Joined {
  messages: RpcStored[];
  live: boolean;
  cursor: RpcCursor;
  run?: { runId: string; seq: number; chatSeq: number };
}

/** One conversation as `/rpc` events, serialised once for all subscribers. */
export class RpcFeed implements Follower {
  readonly feed: Feed;
  readonly sessionKey: string;
  readonly conversation: Conversation;
  readonly #gateway: Pick<Gateway, "logger" | "now">;
  readonly #onEnd: (event: RunEnd) => void;
  readonly #subscribers = new Set<Subscriber>();
  readonly #followers = new Set<RunFollower>();
  /** Stored during a run; each is sent right before the step that names it. */
  readonly #unsent: Entry[] = [];
  /** Running tools, and "" for an answer that is being generated: not in the log yet. */
  readonly #active = new Set<string>();
  #run: Run | undefined;

  constructor(
    conversation: Conversation,
    gateway: Pick<Gateway, "logger" | "now">,
    onEnd: (event: RunEnd) => void,
  ) {
    this.conversation = conversation;
    this.#gateway = gateway;
    this.#onEnd = onEnd;
    this.sessionKey = nameOf(conversation);
    // In one tick, so that nothing is missed between the live state and the first event.
    const { answer, tools } = conversation.live;
    if (answer !== undefined) this.#active.add("");
    for (const id of tools.keys()) this.#active.add(id);
    this.#run = runUnderWay(conversation, gateway.now());
    this.feed = Feed.follow(conversation, this);
  }

  close(): void {
    this.feed.leave(this);
  }

  /** How many clients follow it. */
  get subscribers(): number {
    return this.#subscribers.size;
  }

  /**
   * Returns what was stored since the cursor, up to a number of bytes. If that is everything, the subscriber joins. Without a
   * cursor, only what is under way is sent.
   */
  async join(subscriber: Subscriber, after: RpcCursor | undefined, maxBytes: number): Promise<Joined> {
    const messages: RpcStored[] = [];
    let position = after?.position ?? this.#position;
    let bytes = 0;
    // Throws if it is not a position of this session.
    await this.conversation.session.last(0, { before: position });
    while (position < this.#position) {
      const target = this.#position;
      for await (const entry of this.feed.stored(position, target)) {
        bytes += entry.next - entry.position;
        if (bytes > maxBytes && messages.length > 0) return { messages, live: false, cursor: { position } };
        messages.push(entry);
        position = entry.next;
      }
      // The rest before it may be lines that are not messages.
      position = Math.max(position, target);
    }
    subscriber.position = position;
    this.#subscribers.add(subscriber);
    const run = this.#run;
    if (run === undefined) return { messages, live: true, cursor: { position } };
    const { records, seq } = run.tail.since(after?.runId === run.id ? after.seq : undefined);
    for (const record of records) {
      for (const event of runEvents(run.id, this.sessionKey, record)) {
        if (subscriber.wants(event.event)) subscriber.send(frameOf(event));
      }
    }
    const cursor = { position, runId: run.id, seq };
    return {
      messages,
      live: true,
      cursor,
      run: { runId: run.id, seq, chatSeq: run.chat.seqBefore(records) },
    };
  }

  /** The subscriber joins here. Returns the frames to send first: the session so far, from its first line. */
  async joinFromStart(subscriber: Subscriber): Promise<Uint8Array[]> {
    const until = this.feed.start === undefined ? undefined : this.#position;
    this.#subscribers.add(subscriber);
    await this.feed.ready;
    const frames: Uint8Array[] = [];
    if (!subscriber.wants("message")) return frames;
    for await (const entry of this.feed.stored(0, until ?? this.feed.start ?? 0)) {
      frames.push(frameOf(this.#messageEvent(entry)));
    }
    return frames;
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  /** Sends the client the runs that accept its messages. */
  follow(follower: RunFollower): void {
    this.#followers.add(follower);
  }

  unfollow(follower: RunFollower): void {
    this.#followers.delete(follower);
  }

  removeIfDone(follower: RunFollower): void {
    if (follower.leaveIfDone()) this.#followers.delete(follower);
  }

  /** For a message that was sent before: the client joins the run that accepted it, if that is still running. */
  followAgain(follower: RunFollower, messageId: string, runId: string): void {
    const run = this.#run;
    const isAccepted = run?.messageIds?.has(messageId) ?? run?.id === runId;
    if (run === undefined || !isAccepted) {
      follower.expect(messageId);
      follower.markStored(messageId);
    } else if (follower.follow(run.id)) this.#replay(run.id, run.tail.since(undefined).records, follower);
  }

  /** Stops waiting for messages that another process answers. */
  async forgetAbandoned(): Promise<void> {
    await this.conversation.idle();
    const abandoned = [...this.#followers].map((one) => ({ one, ids: one.abandoned }));
    if (this.conversation.busy || abandoned.every(({ ids }) => ids.length === 0)) return;
    await this.feed.drained();
    for (const { one, ids } of abandoned) {
      for (const id of ids) one.forget(id);
      this.removeIfDone(one);
    }
  }

  onEntry(entry: Entry): void {
    this.#unsent.push(entry);
    const { role } = entry.message;
    // No step names a note or a message that a client posted.
    const isFree = this.#unsent.length === 1 && (role === "custom" || role === "status");
    if (this.#run === undefined || isFree) this.#sendMessages();
  }

  onEvent(event: ConversationEvent): void {
    const { sessionKey } = this;
    switch (event.type) {
      case "run_start": {
        const { runId, seq } = event;
        this.#run = {
          id: runId,
          tail: new LiveTail(),
          chat: new ChatCount(),
          opening: [],
          messageIds: new Set(),
        };
        this.#addStep(this.#run, { seq, step: { type: "run_start" } });
        return;
      }
      case "agent":
        if (event.stored !== undefined) this.#sendMessages(event.stored.next);
        if (this.#run !== undefined) this.#agentStep(this.#run, event);
        return;
      case "run_end":
        this.#sendMessages();
        this.#end(event);
        return;
      case "permission":
        this.#send({ event: "permission", data: { sessionKey, state: "asked", request: event.request } });
        return;
      case "permission_end": {
        const { id, end } = event;
        const ended =
          end === "expired" || end === "withdrawn"
            ? { state: end }
            : { state: "answered" as const, answer: end };
        this.#send({ event: "permission", data: { sessionKey, id, ...ended } });
        return;
      }
      case "queued":
      case "losses":
    }
  }

  /** Subscribers have to subscribe again. */
  onFailure(error: unknown): void {
    const { session } = this.conversation;
    this.#gateway.logger.error({ err: error, session: session.id }, "could not follow a session");
    for (const subscriber of this.#subscribers) subscriber.close("the session cannot be followed");
    this.#subscribers.clear();
    for (const { subscriber } of this.#followers) subscriber.close("the session cannot be followed");
    this.#followers.clear();
    // The end of the current run is known without the log.
    const unwatch = this.conversation.watch((event) => {
      if (event.type === "run_end") this.#onEnd(event);
    });
    void this.conversation.idle().then(unwatch);
  }

  /** The log was sent up to here. */
  get #position(): Position {
    return this.#unsent[0]?.position ?? this.feed.position;
  }

  #sendMessages(until = Number.POSITIVE_INFINITY): void {
    for (let [next] = this.#unsent; next !== undefined && next.position < until; [next] = this.#unsent) {
      this.#unsent.shift();
      const { position } = next;
      this.#send(this.#messageEvent(next), (subscriber) => position >= subscriber.position);
    }
  }

  #messageEvent({ message, position, next }: Entry): FeedEvent {
    return { event: "message", data: { sessionKey: this.sessionKey, position, next, message } };
  }

  #agentStep(run: Run, { seq, event, stored }: Extract<ConversationEvent, { type: "agent" }>): void {
    this.#trackActive(event);
    this.#addStep(run, { seq, step: stepLine(event) });
    if (event.type !== "message_end") return;
    const { message } = event;
    if (stored !== undefined) this.#startFollowing(run, message);
    if (message.role === "assistant") run.lastAnswer = message;
    if (this.#active.size === 0) run.tail.dropStored();
  }

  #trackActive(event: AgentEvent): void {
    if (event.type === "message_start" && event.message.role === "assistant") this.#active.add("");
    if (event.type === "message_end" && event.message.role === "assistant") this.#active.delete("");
    if (event.type === "tool_execution_start") this.#active.add(event.toolCallId);
    if (event.type === "tool_execution_end") this.#active.delete(event.toolCallId);
    if (event.type === "agent_end") this.#active.clear();
  }

  #addStep(run: Run, record: LiveRecord): void {
    const whole = addStep(run, record, this.#gateway.now());
    if (isAnswer(record)) delete run.opening;
    run.opening?.push(whole);
    for (const event of runEvents(run.id, this.sessionKey, whole)) this.#send(event);
  }

  #end(event: RunEnd): void {
    const { runId, seq, outcome, error } = event;
    const run = this.#run;
    this.#run = undefined;
    this.#active.clear();
    const failed = error === undefined ? {} : { error };
    const record: LiveRecord = { seq, step: { type: "run_end", outcome, ...failed } };
    for (const one of runEvents(runId, this.sessionKey, record)) this.#send(one);
    const end = (run?.chat ?? new ChatCount()).end(event, run?.lastAnswer);
    this.#send({ event: "chat", data: { runId, sessionKey: this.sessionKey, ...end } });
    for (const follower of this.#followers) {
      follower.end(runId);
      this.removeIfDone(follower);
    }
    this.#onEnd(event);
  }

  #startFollowing(run: Run, stored: AgentMessage): void {
    if (stored.role !== "user") return;
    for (const id of idsOf(stored)) run.messageIds?.add(id);
    for (const follower of this.#followers) {
      if (!follower.acceptRun(run.id, stored)) continue;
      this.#replay(run.id, run.opening ?? run.tail.since(undefined).records, follower);
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
}
