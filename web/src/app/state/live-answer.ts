import type { WatchEvent } from "dragoman/client";
import { type AssistantMessage, type AssistantMessageEvent, emptyUsage, MessageReducer } from "dragoman/core";

type LiveEvent = Extract<WatchEvent, { type: "delta" | "call" | "block" }>;

/**
 * The answer under way. It is one object that grows: a delta costs what it brings, whatever is there already, and only those
 * who show this answer are told.
 */
export class LiveAnswer {
  readonly #now: () => number;
  /** Tells listeners, at once or with the next frame. */
  readonly #schedule: (tell: () => void) => void;
  readonly #listeners = new Set<() => void>();
  #reducer = new MessageReducer();
  #version = 0;
  #isDue = false;

  constructor(now: () => number, schedule: (tell: () => void) => void) {
    this.#now = now;
    this.#schedule = schedule;
  }

  /** Undefined while nothing is said. */
  get message(): AssistantMessage | undefined {
    return this.#reducer.partial;
  }

  /** Another number whenever it has grown. */
  readonly get = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** True when an answer begins with it. */
  take(event: LiveEvent): boolean {
    const begins = this.message === undefined;
    if (begins) this.#reducer.push({ type: "start", partial: emptyAnswer(this.#now()) });
    // A block of which nothing was said has no deltas: the ones after it keep their numbers.
    for (let index = this.message?.content.length ?? 0; index < event.contentIndex; index++) {
      this.#reducer.push({ type: "text_start", contentIndex: index });
    }
    for (const step of stepsOf(event)) this.#reducer.push(step);
    this.#grown();
    return begins;
  }

  clear(): void {
    if (this.message === undefined) return;
    this.#reducer = new MessageReducer();
    this.#grown();
  }

  #grown(): void {
    this.#version++;
    if (this.#isDue) return;
    this.#isDue = true;
    this.#schedule(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

const kinds = { text: "text_delta", thinking: "thinking_delta", arguments: "toolcall_delta" } as const;

function stepsOf(event: LiveEvent): AssistantMessageEvent[] {
  const { contentIndex } = event;
  switch (event.type) {
    case "delta":
      return [{ type: kinds[event.kind], contentIndex, delta: event.text }];
    case "block":
      return [{ type: "block_end", contentIndex, block: event.block }];
    case "call": {
      const { id = "", name = "" } = event;
      const start: AssistantMessageEvent = { type: "toolcall_start", contentIndex, id, name };
      if (event.arguments === undefined) return [start];
      return [start, { type: "toolcall_delta", contentIndex, delta: JSON.stringify(event.arguments) }];
    }
  }
}

function emptyAnswer(timestamp: number): AssistantMessage {
  const header = { api: "", provider: "", model: "", usage: emptyUsage(), stopReason: "stop" } as const;
  return { role: "assistant", content: [], timestamp, ...header };
}
