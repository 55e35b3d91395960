import type { StopReason } from "../../core/types.js";
import type { Head } from "./wire.js";

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
