import type { StopReason } from "../types.js";

/** A refusal is `error`, because it must not be sent back. An unknown reason is `stop`. */
export function readClaudeStop(raw: unknown): StopReason {
  switch (raw) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "tool_use":
      return "toolUse";
    case "refusal":
      return "error";
    default:
      // end_turn, stop_sequence, pause_turn
      return "stop";
  }
}
