import type { StopReason } from "../../core/types.js";
import type { FinishReason } from "./wire.js";

const reasons: Readonly<Record<string, StopReason>> = {
  stop: "stop",
  length: "length",
  model_length: "length",
  tool_calls: "toolUse",
  function_call: "toolUse",
  content_filter: "error",
  sensitive: "error",
  error: "error",
  network_error: "error",
  abort: "error",
  insufficient_system_resource: "error",
};

/** An unknown reason is `stop`. `stop` with calls is `toolUse`, because some servers report `stop` for calls. */
export function readFinishReason(reason: string, hasCalls: boolean): StopReason {
  const known = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  const stopReason = known ?? "stop";
  return stopReason === "stop" && hasCalls ? "toolUse" : stopReason;
}

export function describeFailure(reason: string): string {
  const filtered = reason === "content_filter" || reason === "sensitive";
  return filtered
    ? `the provider filtered the answer (${reason})`
    : `the provider stopped the answer (${reason})`;
}

/** Undefined for a failed answer. */
export function writeFinishReason(reason: StopReason): FinishReason | undefined {
  switch (reason) {
    case "stop":
    case "length":
      return reason;
    case "toolUse":
      return "tool_calls";
    case "error":
    case "aborted":
      return undefined;
  }
}
