import type { AgentEventLine } from "dragoman/core";
import { Listeners } from "../live/listeners.js";

/** What is known of a call beyond what is stored: it runs, or somebody is asked whether it may. */
export interface Activity {
  state: "asking" | "running" | "ended";
  started?: number;
  ended?: number;
  /** What the tool has said so far. */
  partial?: unknown;
}

/** A step of a tool, as far as it matters here. */
type ToolStep =
  | Pick<
      Extract<AgentEventLine, { type: "tool_execution_start" | "tool_execution_end" }>,
      "type" | "toolCallId"
    >
  | Pick<Extract<AgentEventLine, { type: "tool_execution_update" }>, "type" | "toolCallId" | "partialResult">;

/**
 * What the tools of a session are doing, by the id of their calls. A card subscribes to its own call.
 *
 * @example
 * const tools = new ToolActivity();
 * tools.push({ type: "tool_execution_start", toolCallId: "c1" });
 * tools.of("c1"); // { state: "running", started: 1740000000000 }
 */
export class ToolActivity {
  readonly #calls = new Map<string, Activity>();
  readonly #listeners = new Map<string, Listeners>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  of(id: string): Activity | undefined {
    return this.#calls.get(id);
  }

  subscribe(id: string, listener: () => void): () => void {
    const known = this.#listeners.get(id) ?? new Listeners();
    this.#listeners.set(id, known);
    return known.subscribe(listener);
  }

  push(step: ToolStep): void {
    const before = this.#calls.get(step.toolCallId);
    switch (step.type) {
      case "tool_execution_start":
        this.#set(step.toolCallId, { state: "running", started: this.#now() });
        break;
      case "tool_execution_update":
        this.#set(step.toolCallId, { state: "running", ...before, partial: step.partialResult });
        break;
      case "tool_execution_end":
        this.#set(step.toolCallId, { ...before, state: "ended", ended: this.#now() });
        break;
    }
  }

  /** Somebody is asked whether this call may run. */
  asks(id: string): void {
    this.#set(id, { ...this.#calls.get(id), state: "asking" });
  }

  /** The run is over: nothing is under way any more. */
  settle(): void {
    for (const [id, activity] of this.#calls) {
      if (activity.state !== "ended") this.#set(id, { ...activity, state: "ended" });
    }
  }

  #set(id: string, activity: Activity): void {
    this.#calls.set(id, activity);
    this.#listeners.get(id)?.tell();
  }
}
