import { failureIn } from "../../core/failure.js";
import type { JsonObject } from "../../core/json/value.js";
import { noteOf } from "../../core/notes.js";
import type { AgentEvent, AgentMessage } from "../../core/types.js";
import { formatTime } from "../../dialects/timbal/time.js";
import type { Entry, Position } from "../../log/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { LiveAnswer, LiveStatus, noStatus } from "./live-frames.js";
import { storedFrames } from "./stored-frames.js";
import { ToldFrame } from "./told-frame.js";

/** Somebody who is told everything from some moment on. */
export interface Follower {
  tell(frame: ToldFrame): void;
  /** Nothing more will be told: the thread is over, or its log cannot be read. */
  end(why: "over" | "failed"): void;
}

/** What everybody has been told by some moment, and where it can be read: up to a place in the log, and then this. */
export interface Moment {
  position: Position;
  open: readonly JsonObject[];
  /** For those who were here before: what they may still take for open. */
  over: readonly JsonObject[];
}

/** Something that happened, and how far the log must have been told before it. */
interface Happening {
  needs: Position;
  event: ConversationEvent;
}

export interface FeedOptions {
  thread: string;
  agent: string;
  conversation: Conversation;
  onFailure(error: unknown): void;
}

/**
 * One thread, told to everybody at once. What is stored is told as it appears in the log, whoever wrote it; what is under
 * way is told as it happens, each thing after the lines of the log that came before it.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #followers = new Set<Follower>();
  readonly #closed = new AbortController();
  readonly #stop: () => void;
  /** Fulfilled when it can be followed. */
  readonly ready: Promise<void>;
  #waiting: Happening[] = [];
  /** Where the last line that somebody told us of ends. */
  #stored: Position = 0;
  /** Everything before it has been told. Unknown until the feed has found the end of the log. */
  #position: Position | undefined;
  #time: string;
  #answer: LiveAnswer | undefined;
  #status: LiveStatus | undefined;
  #hasError = false;
  /** The id of the last line of the log that was told. */
  #lastStored: string | undefined;
  #over = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    const { conversation, agent } = options;
    const { answer } = conversation.live;
    this.#time = formatTime(conversation.session.header.timestamp) ?? "";
    if (answer?.id !== undefined) this.#answer = LiveAnswer.joined(answer.id, answer, agent);
    this.#stop = conversation.watch((event) => this.#happened(event));
    this.ready = this.#open();
    this.ready.catch(options.onFailure);
  }

  /** Tells the follower everything that comes after the moment that is returned. */
  follow(follower: Follower): Moment {
    if (this.#over) follower.end("over");
    else this.#followers.add(follower);
    const [status, over] = this.#status === undefined ? [[], [noStatus]] : [[this.#status.frame], []];
    return { position: this.#position ?? 0, open: [...(this.#answer?.prelude() ?? []), ...status], over };
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
  }

  close(): void {
    this.#stop();
    this.#closed.abort();
  }

  async #open(): Promise<void> {
    const { session, live } = this.#options.conversation;
    const { running } = live;
    const end = await session.end();
    const [last] = await session.last(1, { before: end });
    if (last !== undefined) this.#note(last.message);
    if (running) this.#busyWith("thinking");
    this.#position = end;
    this.#catchUp();
    void this.#tail(end);
  }

  async #tail(from: Position): Promise<void> {
    const { session } = this.#options.conversation;
    try {
      for await (const entry of session.tail({ from, signal: this.#closed.signal })) this.#appended(entry);
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.#options.onFailure(error);
      this.#end("failed");
    }
  }

  #appended({ message, next }: Entry): void {
    const frames = storedFrames(message, this.#options.agent);
    this.#note(message);
    if (frames.length > 0) {
      this.#tell(...(this.#settled(message, frames) ?? frames), cursor(next));
    }
    this.#position = next;
    this.#catchUp();
    const note = noteOf(message);
    if (note?.type !== "dragoman/meta" || note.data.archived === undefined) return;
    this.#over = note.data.archived;
    if (this.#over) this.#end("over");
  }

  #note({ timestamp, id }: AgentMessage): void {
    this.#lastStored = id;
    this.#time = formatTime(timestamp) ?? this.#time;
  }

  /** What is left to tell of an answer that was followed; undefined if it was not. */
  #settled({ id }: AgentMessage, frames: readonly JsonObject[]): JsonObject[] | undefined {
    const answer = this.#answer;
    if (answer === undefined || answer.id !== id) return undefined;
    this.#answer = undefined;
    return answer.settle(frames);
  }

  #happened(event: ConversationEvent): void {
    if (event.type === "agent" && event.stored !== undefined) this.#stored = event.stored.next;
    this.#waiting.push({ needs: this.#stored, event });
    this.#catchUp();
  }

  #catchUp(): void {
    const position = this.#position;
    if (position === undefined) return;
    const first = this.#waiting.findIndex(({ needs }) => needs > position);
    const due = this.#waiting.splice(0, first === -1 ? this.#waiting.length : first);
    for (const { event } of due) this.#tell(...this.#framesOf(event));
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
        // What could not be stored can be told only to those who are here.
        const { error } = event;
        return error === undefined || this.#hasError ? ended : [...ended, failure(error)];
      }
      case "permission":
        return this.#busyWith("waiting", `may ${event.request.toolCall.name} run?`);
      case "permission_end":
        return this.#busyWith("working");
      case "queued":
      case "losses":
        return [];
    }
  }

  #framesOfAgent(event: AgentEvent): JsonObject[] {
    switch (event.type) {
      case "message_start": {
        const { message } = event;
        const known = [this.#answer?.id, this.#lastStored];
        // An answer that nobody could follow begins when it is stored, and may have been told by then.
        if (message.role !== "assistant" || message.id === undefined || known.includes(message.id)) return [];
        this.#answer = new LiveAnswer(message.id, message, this.#options.agent);
        return [];
      }
      case "message_update":
        return event.message.id === this.#answer?.id
          ? (this.#answer?.push(event.assistantMessageEvent) ?? [])
          : [];
      case "message_end": {
        const { message } = event;
        if (failureIn(message) !== undefined) this.#hasError = true;
        if (message.role === "user" || message.role === "toolResult") return this.#busyWith("thinking");
        // If its line was there before this feed began to read, nobody has been told of it yet.
        return this.#settled(message, storedFrames(message, this.#options.agent)) ?? [];
      }
      case "tool_execution_start":
        return this.#busyWith("working", event.toolName);
      case "agent_end": {
        const withdrawn = this.#answer?.withdraw() ?? [];
        this.#answer = undefined;
        return withdrawn;
      }
      default:
        return [];
    }
  }

  #busyWith(state: string, detail?: string): JsonObject[] {
    if (this.#status !== undefined) return this.#status.becomes(state, detail);
    this.#status = new LiveStatus({ agent: this.#options.agent, t: this.#time, state, detail });
    return [this.#status.frame];
  }

  #tell(...frames: readonly JsonObject[]): void {
    if (this.#followers.size === 0) return;
    for (const frame of frames) {
      const told = new ToldFrame(frame, this.#options.thread);
      for (const follower of this.#followers) follower.tell(told);
    }
  }

  #end(why: "over" | "failed"): void {
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const follower of followers) follower.end(why);
  }
}

/** Ignored by those who do not know it: how far the log has been told. */
export function cursor(after: Position): JsonObject {
  return { c: "cursor", after: String(after) };
}

function failure(message: string): JsonObject {
  return { c: "error", code: "server_error", message };
}
