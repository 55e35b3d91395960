import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { TimbalAnswer } from "../../dialects/timbal/answer.js";
import { TimbalSender } from "../../dialects/timbal/sender.js";
import type { LiveState } from "../../runtime/live-state.js";

/** An answer that is being generated, as its followers see it. */
export class LiveAnswer {
  readonly id: string;
  readonly #sender = new TimbalSender();
  readonly #answer: TimbalAnswer;
  /** The start of a block, until its first delta: from then on a later process can restore it after a crash. */
  #buffered: AssistantMessageEvent[] = [];

  constructor(id: string, message: AssistantMessage, agent: string) {
    this.id = id;
    this.#answer = new TimbalAnswer(this.#sender, { id, now: () => message.timestamp, sender: agent });
  }

  /** The current answer, if it began before this feed. */
  static joined(live: LiveState, agent: string): LiveAnswer | undefined {
    if (live.answer?.id === undefined) return undefined;
    const answer = new LiveAnswer(live.answer.id, live.answer, agent);
    for (const event of live.answerEvents())
      if (!("delta" in event) || event.delta !== "") answer.push(event);
    return answer;
  }

  push(event: AssistantMessageEvent): JsonObject[] {
    this.#buffered.push(event);
    if (event.type === "text_start" || event.type === "thinking_start") return [];
    return this.#buffered.splice(0).flatMap((buffered) => this.#answer.push(buffered));
  }

  /** For a client that joins: the complete blocks, and the open one so far. */
  prelude(): JsonObject[] {
    return this.#sender.prelude();
  }

  /** The frames that bring followers from the streamed answer to the stored one. */
  reconcile(stored: readonly JsonObject[]): JsonObject[] {
    const known = new Map(this.#sender.messages.map(({ i, frame }) => [i, frame]));
    const unknown = stored.filter((frame) => {
      const { i } = frame;
      const before = typeof i === "string" ? known.get(i) : undefined;
      return before === undefined || JSON.stringify(before) !== JSON.stringify(frame);
    });
    const ids = new Set(stored.map(({ i }) => i));
    return [...unknown, ...this.#removal((i) => !ids.has(i))];
  }

  /** The answer failed: removes what followers have seen of it. */
  withdraw(): JsonObject[] {
    return this.#removal(() => true);
  }

  #removal(unwanted: (i: string) => boolean): JsonObject[] {
    return this.#sender.messages.filter(({ i }) => unwanted(i)).map(({ i }) => ({ i, v: null }));
  }
}

interface Activity {
  agent: string;
  /** The time of the last message: a later one could make a client miss messages that began before it. */
  t: string;
  state: string;
  detail: string | undefined;
}

/** The largest id, so that the status sorts after all messages. */
const STATUS_ID = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

/** No activity; clears a status left by a server that was killed. */
export const noStatus: JsonObject = { i: STATUS_ID, v: null };

/** An agent's activity: one message per thread, replaced when it changes and deleted when it ends. */
export class LiveStatus {
  #busy: Activity;

  constructor(busy: Activity) {
    this.#busy = busy;
  }

  get frame(): JsonObject {
    const { agent, t, state, detail } = this.#busy;
    const details = detail === undefined ? {} : { detail };
    return { i: STATUS_ID, t, v: { type: "status", state, ...details, sender: agent } };
  }

  /** Nothing if the status is unchanged. */
  update(state: string, detail?: string): JsonObject[] {
    if (this.#busy.state === state && this.#busy.detail === detail) return [];
    this.#busy = { ...this.#busy, state, detail };
    return [this.frame];
  }
}
