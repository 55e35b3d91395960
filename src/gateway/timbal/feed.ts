import type { JsonObject } from "../../core/json/value.js";
import { failureIn } from "../../core/message/failure.js";
import { noteOf } from "../../core/message/notes.js";
import type { AgentEvent, AgentMessage } from "../../core/types.js";
import { formatTime } from "../../dialects/timbal/time.js";
import type { Entry, Position } from "../../log/types.js";
import { Feed, type Follower } from "../../runtime/feed.js";
import type { ConversationEvent } from "../../runtime/types.js";
import type { Logger } from "../types.js";
import { LiveAnswer, LiveStatus, noStatus } from "./live-frames.js";
import { SharedFrame } from "./shared-frame.js";
import { storedFrames } from "./stored-frames.js";
import type { Thread } from "./threads.js";

/** Receives every frame from the moment it starts listening. */
export interface FrameListener {
  accept(frame: SharedFrame): void;
  /** No more frames follow: the thread has ended, or its log cannot be read. */
  end(why: "over" | "failed"): void;
}

/** The state of a thread at some moment: the log up to a position, and what is under way. */
export interface Moment {
  position: Position;
  open: readonly JsonObject[];
  /** For returning clients: removes what they may still show as under way. */
  stale: readonly JsonObject[];
}

/** One thread as Timbal frames: stored lines as they are written, and runs as they happen. */
export class ThreadFeed implements Follower {
  readonly feed: Feed;
  /** Fulfilled when clients can listen. */
  readonly ready: Promise<void>;
  readonly #thread: Thread;
  readonly #logger: Logger;
  readonly #listeners = new Set<FrameListener>();
  #answer: LiveAnswer | undefined;
  #status: LiveStatus | undefined;
  #hasError = false;
  #isEnded = false;

  constructor(thread: Thread, logger: Logger) {
    this.#thread = thread;
    this.#logger = logger;
    const { agent, conversation } = thread;
    // In one tick, so that nothing is missed between the live state and the first event.
    const { running } = conversation.live;
    this.#answer = LiveAnswer.joined(conversation.live, agent);
    this.feed = Feed.follow(conversation, this);
    this.ready = this.feed.ready.then(() => {
      if (running && conversation.live.running && this.#status === undefined) this.#setStatus("thinking");
    });
    this.ready.catch(() => undefined);
  }

  /** Sends the listener everything after the returned moment. */
  listen(listener: FrameListener): Moment {
    if (this.#isEnded) listener.end("over");
    else this.#listeners.add(listener);
    const [status, stale] = this.#status === undefined ? [[], [noStatus]] : [[this.#status.frame], []];
    return {
      position: this.feed.position,
      open: [...(this.#answer?.prelude() ?? []), ...status],
      stale,
    };
  }

  leave(listener: FrameListener): void {
    this.#listeners.delete(listener);
  }

  close(): void {
    this.feed.leave(this);
  }

  onEntry({ message, next }: Entry): void {
    const frames = storedFrames(message, this.#thread.agent);
    if (frames.length > 0) this.#send(...(this.#finishAnswer(message, frames) ?? frames), cursor(next));
    const note = noteOf(message);
    if (note?.type !== "dragoman/meta" || note.data.archived === undefined) return;
    this.#isEnded = note.data.archived;
    if (this.#isEnded) this.#end("over");
  }

  onEvent(event: ConversationEvent): void {
    this.#send(...this.#framesOf(event));
  }

  onFailure(error: unknown): void {
    this.#logger.error({ thread: this.#thread.id, err: error }, "could not follow a thread");
    this.#end("failed");
  }

  /** The rest of an answer that was streamed; undefined if it was not. */
  #finishAnswer({ id }: AgentMessage, frames: readonly JsonObject[]): JsonObject[] | undefined {
    const answer = this.#answer;
    if (answer === undefined || answer.id !== id) return undefined;
    this.#answer = undefined;
    return answer.reconcile(frames);
  }

  #framesOf(event: ConversationEvent): JsonObject[] {
    switch (event.type) {
      case "run_start":
        this.#hasError = false;
        return [];
      case "agent":
        return this.#framesOfAgent(event.event);
      case "run_end": {
        const ended = this.#status === undefined ? [] : [noStatus];
        this.#status = undefined;
        // An error that is not in the log reaches only the clients that are connected.
        const { error } = event;
        return error === undefined || this.#hasError ? ended : [...ended, failure(error)];
      }
      case "permission":
        return this.#setStatus("waiting", `may ${event.request.toolCall.name} run?`);
      case "permission_end":
        return this.#setStatus("working");
      case "queued":
      case "losses":
        return [];
    }
  }

  #framesOfAgent(event: AgentEvent): JsonObject[] {
    switch (event.type) {
      case "message_start": {
        const { message } = event;
        const known = [this.#answer?.id, this.feed.last?.message.id];
        // An answer without deltas begins only when it is stored, and may have been sent by then.
        if (message.role !== "assistant" || message.id === undefined || known.includes(message.id)) return [];
        this.#answer = new LiveAnswer(message.id, message, this.#thread.agent);
        return [];
      }
      case "message_update":
        return event.message.id === this.#answer?.id
          ? (this.#answer?.push(event.assistantMessageEvent) ?? [])
          : [];
      case "message_end": {
        const { message } = event;
        if (failureIn(message) !== undefined) this.#hasError = true;
        if (message.role === "user" || message.role === "toolResult") return this.#setStatus("thinking");
        // If its line was stored before this feed began to read, no client has received it yet.
        return this.#finishAnswer(message, storedFrames(message, this.#thread.agent)) ?? [];
      }
      case "tool_execution_start":
        return this.#setStatus("working", event.toolName);
      case "agent_end": {
        const withdrawn = this.#answer?.withdraw() ?? [];
        this.#answer = undefined;
        return withdrawn;
      }
      default:
        return [];
    }
  }

  #setStatus(state: string, detail?: string): JsonObject[] {
    if (this.#status !== undefined) return this.#status.update(state, detail);
    const { agent, conversation } = this.#thread;
    const { timestamp } = this.feed.last?.message ?? conversation.session.header;
    this.#status = new LiveStatus({ agent, t: formatTime(timestamp) ?? "", state, detail });
    return [this.#status.frame];
  }

  #send(...frames: readonly JsonObject[]): void {
    if (this.#listeners.size === 0) return;
    for (const frame of frames) {
      const made = new SharedFrame(frame, this.#thread.id);
      for (const listener of this.#listeners) listener.accept(made);
    }
  }

  #end(why: "over" | "failed"): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener.end(why);
  }
}

/** How far the log has been sent. Other clients ignore it. */
export function cursor(after: Position): JsonObject {
  return { c: "cursor", after: String(after) };
}

function failure(message: string): JsonObject {
  return { c: "error", code: "server_error", message };
}
