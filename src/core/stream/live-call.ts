import type { IncrementalJson } from "../json/incremental.js";
import { isObject } from "../json/value.js";
import type { AssistantContent, ToolCall } from "../types.js";

/** A call whose arguments are parsed when they are read, and each time only what is new. */
export function liveCall(call: Omit<ToolCall, "arguments">, json: IncrementalJson): ToolCall {
  const nothing = {};
  return {
    ...call,
    get arguments() {
      return isObject(json.value) ? json.value : nothing;
    },
  };
}

/** Ends the calls that were still streaming, with the arguments so far. */
export function cutCalls(
  content: AssistantContent[],
  open: Iterable<[number, IncrementalJson | undefined]>,
): void {
  for (const [index, json] of open) {
    const call = content[index];
    if (call?.type !== "toolCall" || json === undefined) continue;
    const value = isObject(json.value) ? json.value : {};
    content[index] = { ...call, arguments: value, argumentsError: "the arguments were cut off" };
  }
}
