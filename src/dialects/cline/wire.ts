import { isObject, type JsonObject } from "../../core/json/value.js";

export const NAME = "cline";

/**
 * The messages file of a Cline session, version 1. These are the contract's shapes; real files differ, so every field's
 * type is checked.
 *
 *     { version, updated_at, agent, sessionId, taskType?, messages: [ { id, role, content, … } ], system_prompt? }
 */
export const VERSION = 1;

export const AGENTS = ["lead", "subagent", "teammate"] as const;
export type Agent = (typeof AGENTS)[number];

/** The keys before `messages`, in this order; all others come after it. */
export const LEADING_KEYS = ["version", "updated_at", "agent", "sessionId", "taskType", "origin"];

export const METRICS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "cost",
] as const;

/**
 * Why an answer ended early: a field of our own, because the contract has none and tells readers to ignore unknown fields.
 * The answer's usage may be unknown, so it needs no metrics.
 */
export function interruption(value: unknown): "error" | "aborted" | undefined {
  return value === "error" || value === "aborted" ? value : undefined;
}

/** The contract's blocks for each role. */
export const USER_BLOCKS: readonly string[] = ["text", "tool_result"];
export const ASSISTANT_BLOCKS: readonly string[] = ["text", "thinking", "tool_use"];

/** Whether a record is the header (the document without `messages`), not a message. */
export function isHeader(record: JsonObject): boolean {
  return (
    Object.hasOwn(record, "version") && !(Object.hasOwn(record, "role") && Object.hasOwn(record, "content"))
  );
}

export function isToolResult(block: unknown): block is JsonObject {
  return isObject(block) && block["type"] === "tool_result";
}

/** Whether a user message starts a turn. One with tool results belongs to the turn of their calls. */
function startsTurn({ role, content }: JsonObject): boolean {
  return role === "user" && !(Array.isArray(content) && content.some(isToolResult));
}

/** Whether `next` belongs to the same turn as `last`. */
export function joins(last: JsonObject, next: JsonObject): boolean {
  return !isHeader(last) && !isHeader(next) && !startsTurn(next);
}

/** Whether it is the last assistant message of its turn. */
export function isLastAnswer(unit: readonly JsonObject[], index: number): boolean {
  for (let next = index + 1; next < unit.length; next++) {
    const [last, record] = [unit[next - 1], unit[next]];
    if (last === undefined || record === undefined || !joins(last, record)) return true;
    if (record["role"] === "assistant") return false;
  }
  return true;
}
