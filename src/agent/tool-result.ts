import { wordsOf } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import { failedResult } from "../core/message/open-calls.js";
import type { ToolCall, ToolResultMessage } from "../core/types.js";
import { is } from "../core/validate.js";
import type { ToolOutput } from "./types.js";

/** A tool's output as a message. Tools are third-party code: output that cannot be stored is a failed call. */
export function resultOf(call: ToolCall, output: ToolOutput, timestamp: number): ToolResultMessage {
  if (!isObject(output)) return failedResult(call, `the tool "${call.name}" returned nothing`, timestamp);
  const { content, details, isError = false } = output;
  const result = {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
    ...(details === undefined ? {} : { details }),
    isError,
    timestamp,
  };
  if (!is("ToolResultMessage", result)) {
    return failedResult(call, `the tool "${call.name}" returned no content that a model can read`, timestamp);
  }
  try {
    JSON.stringify(details);
  } catch (error) {
    const why = `the tool "${call.name}" returned details that are not JSON: ${wordsOf(error)}`;
    return failedResult(call, why, timestamp);
  }
  return result;
}
