import type { StopReason } from "../../core/types.js";

/** A blocked answer is `error`, because it must not be sent back. An unknown reason is `stop`. */
export function readStopReason(raw: unknown): StopReason {
  switch (raw) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "tool_use":
      return "toolUse";
    case "guardrail_intervened":
    case "content_filtered":
    case "malformed_model_output":
    case "malformed_tool_use":
      return "error";
    default:
      // end_turn, stop_sequence
      return "stop";
  }
}

/** Undefined for an answer that was cut off. */
export function writeStopReason(reason: StopReason): "end_turn" | "max_tokens" | "tool_use" | undefined {
  switch (reason) {
    case "stop":
      return "end_turn";
    case "length":
      return "max_tokens";
    case "toolUse":
      return "tool_use";
    case "error":
    case "aborted":
      return undefined;
  }
}

/** The message for a reason that ends an answer as an error. */
export function failureOf(raw: unknown): string {
  switch (raw) {
    case "guardrail_intervened":
      return "a guardrail blocked the answer";
    case "content_filtered":
      return "a content filter blocked the answer";
    case "malformed_tool_use":
      return "the model called a tool in a form that cannot be read";
    default:
      return "the model gave an answer that cannot be read";
  }
}
