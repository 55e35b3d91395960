import type { JsonObject } from "../../core/json/value.js";
import type { AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { TimbalAnswer } from "../../dialects/timbal/answer.js";
import { TimbalSender } from "../../dialects/timbal/sender.js";
import type { LiveState } from "../../runtime/live-state.js";

/** An answer that is under way, as those who follow it have it. */
export class LiveAnswer {
  readonly id: string;
  readonly #sender = new TimbalSender();
  readonly #answer: TimbalAnswer;
  /** A block is shown with its first word: from then on a server that is killed leaves it to the next one. */
  #buffered: AssistantMessageEvent[] = [];

  constructor(id: string, message: AssistantMessage, agent: string) {
    this.id = id;
    this.#answer = new TimbalAnswer(this.#sender, { id, now: () => message.timestamp, sender: agent });
  }

  /** The answer under way, if there is one, which began before anybody here followed it. */
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
    return this.#buffered.splice(0).flatMap((held) => this.#answer.push(held));
  }

  /** For whoever joins: what is complete, and what is open as far as it is. */
  prelude(): JsonObject[] {
    return this.#sender.prelude();
  }

  /** What those who followed it are to be told so that they have what is stored. */
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
  /** That of the message it follows: a time of its own could make a client miss what began before it. */
  t: string;
  state: string;
  detail: string | undefined;
}

/** The last of all ids: what an agent is busy with stands after everything that was said. */
const STATUS_ID = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

/** No activity; clears a status left by a server that was killed. */
export const noStatus: JsonObject = { i: STATUS_ID, v: null };

/** What an agent is busy with: one message per thread, replaced as the work changes, deleted when it ends. */
export class LiveStatus {
  #busy: Activity;

  constructor(busy: Activity) {
    this.#busy = busy;
  }

  get frame(): JsonObject {
    const { agent, t, state, detail } = this.#busy;
    const said = detail === undefined ? {} : { detail };
    return { i: STATUS_ID, t, v: { type: "status", state, ...said, sender: agent } };
  }

  /** Nothing, if that is what was said last. */
  update(state: string, detail?: string): JsonObject[] {
    if (this.#busy.state === state && this.#busy.detail === detail) return [];
    this.#busy = { ...this.#busy, state, detail };
    return [this.frame];
  }
}
