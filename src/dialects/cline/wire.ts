import { isObject, type JsonObject } from "../../core/json/value.js";

export const NAME = "cline";

/**
 * The messages file of a Cline session, version 1. These are the shapes of the contract; real files hold more, so
 * nothing is read without asking for its type.
 *
 *     { version, updated_at, agent, sessionId, taskType?, messages: [ { id, role, content, … } ], system_prompt? }
 */
export const VERSION = 1;

export const AGENTS = ["lead", "subagent", "teammate"] as const;
export type Agent = (typeof AGENTS)[number];

/** What stands before `messages` in a file, in this order; the rest stands after it. */
export const LEADING_KEYS = ["version", "updated_at", "agent", "sessionId", "taskType", "origin"];

export const METRICS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "cost",
] as const;

/**
 * Why an answer ended early, in a field of our own: the contract has none, and lets readers pass over fields that they do not
 * know. Its usage may be unknown, so that such an answer need not have metrics.
 */
export function interruption(value: unknown): "error" | "aborted" | undefined {
  return value === "error" || value === "aborted" ? value : undefined;
}

/** The blocks of the contract, by the role of the message they may stand in. */
export const USER_BLOCKS: readonly string[] = ["text", "tool_result"];
export const ASSISTANT_BLOCKS: readonly string[] = ["text", "thinking", "tool_use"];

/** A file is cut into its header (the document without `messages`) and its messages; this tells them apart. */
export function isHeader(record: JsonObject): boolean {
  return (
    Object.hasOwn(record, "version") && !(Object.hasOwn(record, "role") && Object.hasOwn(record, "content"))
  );
}

export function isToolResult(block: unknown): block is JsonObject {
  return isObject(block) && block["type"] === "tool_result";
}

/** A message in which a user speaks, not only tools. Results with words among them still belong to the turn of their calls. */
function startsTurn({ role, content }: JsonObject): boolean {
  return role === "user" && !(Array.isArray(content) && content.some(isToolResult));
}

/** Whether `next` belongs to the turn of the record before it. */
export function joins(last: JsonObject, next: JsonObject): boolean {
  return !isHeader(last) && !isHeader(next) && !startsTurn(next);
}

/** Whether no assistant message follows in the same turn. */
export function isLastAnswer(unit: readonly JsonObject[], index: number): boolean {
  for (let next = index + 1; next < unit.length; next++) {
    const [last, record] = [unit[next - 1], unit[next]];
    if (last === undefined || record === undefined || !joins(last, record)) return true;
    if (record["role"] === "assistant") return false;
  }
  return true;
}
