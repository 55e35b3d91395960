import type { StopReason } from "../../core/types.js";
import type { Head } from "./wire.js";

/** A refusal is `error`, because it must not be sent back. An unknown reason is `stop`. */
export function readStopReason(raw: unknown): StopReason {
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

export function writeStopReason(reason: StopReason): Head["stop_reason"] {
  switch (reason) {
    case "stop":
      return "end_turn";
    case "length":
      return "max_tokens";
    case "toolUse":
      return "tool_use";
    case "error":
    case "aborted":
      return null;
  }
}
