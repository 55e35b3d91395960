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
  /** No more frames come: the thread is over, or its log cannot be read. */
  end(why: "over" | "failed"): void;
}

/** What everybody has received by some moment, and where it can be read: up to a place in the log, and then this. */
export interface Moment {
  position: Position;
  open: readonly JsonObject[];
  /** For those who were here before: what they may still take for open. */
  stale: readonly JsonObject[];
}

/** One thread as Timbal frames: of each stored line as it appears in the log, and of what is under way as it happens. */
export class ThreadFeed implements Follower {
  readonly feed: Feed;
  /** Fulfilled when it can be followed. */
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
    // In one tick: what is under way is either in this picture or an event that follows.
    const { running } = conversation.live;
    this.#answer = LiveAnswer.joined(conversation.live, agent);
    this.feed = Feed.follow(conversation, this);
    this.ready = this.feed.ready.then(() => {
      if (running && conversation.live.running && this.#status === undefined) this.#setStatus("thinking");
    });
    this.ready.catch(() => undefined);
  }

  /** Sends the listener everything that comes after the moment that is returned. */
  listen(listener: FrameListener): Moment {
    if (this.#isEnded) listener.end("over");
    else this.#listeners.add(listener);
    const [status, over] = this.#status === undefined ? [[], [noStatus]] : [[this.#status.frame], []];
    return {
      position: this.feed.position,
      open: [...(this.#answer?.prelude() ?? []), ...status],
      stale: over,
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
    this.#logger.error({ thread: this.#thread.id, err: error }, "a thread cannot be followed");
    this.#end("failed");
  }

  /** What is left to send of an answer that was followed; undefined if it was not. */
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
        // What could not be stored can be sent only to those who are here.
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
        // An answer that nobody could follow begins when it is stored, and may have been sent by then.
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
        // If its line was there before this feed began to read, nobody has received it yet.
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

/** Ignored by those who do not know it: how far the log has been sent. */
export function cursor(after: Position): JsonObject {
  return { c: "cursor", after: String(after) };
}

function failure(message: string): JsonObject {
  return { c: "error", code: "server_error", message };
}
