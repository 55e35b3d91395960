import { Listeners } from "../live/listeners.js";

/** The live state of a call: running, or waiting for permission. */
export interface Activity {
  state: "asking" | "running" | "ended";
  started?: number;
  ended?: number;
  /** The tool's output so far. */
  partial?: unknown;
}

/** The fields of a tool event that are used here. */
type ToolStep =
  | { type: "tool_execution_start" | "tool_execution_end"; toolCallId: string }
  | { type: "tool_execution_update"; toolCallId: string; partialResult: unknown };

/** The live state of a session's tool calls, by call id. A card subscribes to its own call. */
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
        // A page that joins a run learns of the open question before the calls that have started.
        if (before?.state !== "asking")
          this.#set(step.toolCallId, { state: "running", started: this.#now() });
        break;
      case "tool_execution_update":
        this.#set(step.toolCallId, { ...before, state: "running", partial: step.partialResult });
        break;
      case "tool_execution_end":
        this.#set(step.toolCallId, { ...before, state: "ended", ended: this.#now() });
        break;
    }
  }

  /** The call waits for permission. */
  markAsking(id: string): void {
    this.#set(id, { ...this.#calls.get(id), state: "asking" });
  }

  /** The user has answered. The time that the answer took does not count as the tool's. */
  markAnswered(id: string): void {
    if (this.#calls.get(id)?.state === "asking") this.#set(id, { state: "running", started: this.#now() });
  }

  /** Ends all calls when the run is over. */
  endAll(): void {
    for (const [id, activity] of this.#calls) {
      if (activity.state !== "ended") this.#set(id, { ...activity, state: "ended" });
    }
  }

  #set(id: string, activity: Activity): void {
    this.#calls.set(id, activity);
    this.#listeners.get(id)?.emit();
  }
}
