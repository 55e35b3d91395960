import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { hasType } from "./wire.js";

/*
 * Other formats' shapes that are found in these messages. The guards are narrow: a value with the same field in both
 * vocabularies is ambiguous.
 */

/** OpenAI: a member of an assistant message's `tool_calls`. */
export type OpenAiCall = { id: string; function: { name: string } & JsonObject } & JsonObject;

/** Anthropic: a block of an assistant message. */
export type ToolUse = { type: "tool_use"; id: string; name: string } & JsonObject;

/** Anthropic: a block of a user message. */
export type ToolResult = { type: "tool_result"; tool_use_id: string } & JsonObject;

export function isOpenAiCall(value: unknown): value is OpenAiCall {
  if (!isObject(value) || !isString(value["id"]) || "arguments" in value) return false;
  const called = value["function"];
  if (!isObject(called) || !isString(called["name"]) || "type" in called) return false;
  return !Object.keys(called).some((key) => key in value);
}

export function isToolUse(value: unknown): value is ToolUse {
  return (
    hasType(value, "tool_use") && isString(value["id"]) && isString(value["name"]) && !("arguments" in value)
  );
}

export function isToolResult(value: unknown): value is ToolResult {
  if (!hasType(value, "tool_result") || !isString(value["tool_use_id"])) return false;
  const { is_error: failed } = value;
  if (failed !== undefined && failed !== null && typeof failed !== "boolean") return false;
  return !["role", "toolCallId", "isError"].some((key) => key in value);
}
