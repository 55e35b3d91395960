import type { AgentEvent } from "../core/types.js";
import type { Outcome } from "./types.js";

export interface Ending {
  outcome: Outcome;
  error?: string;
}

/** A run's outcome according to its events so far. After an error that does not end the run, another turn follows. */
export function endingAfter(event: AgentEvent, before: Ending): Ending {
  if (event.type !== "turn_end" && event.type !== "message_end") return before;
  const { message } = event;
  if (message.role === "error") return { outcome: "error", error: message.content };
  if (message.role !== "assistant") return before;
  const { stopReason, errorMessage } = message;
  if (stopReason === "aborted") return { outcome: "aborted" };
  if (stopReason !== "error") return { outcome: "done" };
  return { outcome: "error", ...(errorMessage === undefined ? {} : { error: errorMessage }) };
}
