import type { JsonRecord } from "../../core/dialect.js";
import { hasExactly, isObject, isString, type JsonObject } from "../../core/json/value.js";

export const NAME = "codex";

/** The version that new files state. */
export const VERSION = "0.166.0";

/** Every answer is a response of this API. The provider is that of most sessions; a line does not name it. */
export const API = "openai-responses";
export const PROVIDER = "openai";

/** The type of lines that carry a message Codex has no line for. Codex skips types that it does not know. */
export const CARRIED = "dragoman";

/**
 * A session is a file of lines, each with a time, a type and a payload:
 *
 *     {"timestamp":"…","type":"session_meta","payload":{"id":"…","cwd":"/w",…}}
 *     {"timestamp":"…","type":"response_item","payload":{"type":"message","role":"user","content":[…]}}
 *     {"timestamp":"…","type":"event_msg","payload":{"type":"user_message","message":"…"}}
 *
 * Response items are the conversation. Events repeat it for display and have the accounting. Files of early 2025 have
 * items without an envelope:
 *
 *     {"type":"message","role":"user","content":[…]}
 */
export type Kind =
  | "session"
  /** A change of model as we write it, before an answer. */
  | "context"
  | "user"
  /** The event that repeats a user's message. */
  | "prompt"
  | "answer"
  /** The event that repeats the text of an answer. */
  | "echo"
  | "result"
  /** The tokens of a response. */
  | "count"
  | "title"
  /** Other events: they can come between the items of an answer. */
  | "loose"
  | "other";

/** Items of an answer that the model has no block for; they are kept unchanged. */
const OPAQUE_ITEMS: ReadonlySet<unknown> = new Set([
  "web_search_call",
  "image_generation_call",
  "tool_search_call",
  "compaction",
  "compaction_summary",
  "context_compaction",
]);

const CALLS: ReadonlySet<unknown> = new Set(["function_call", "custom_tool_call", "local_shell_call"]);
const OUTPUTS: ReadonlySet<unknown> = new Set(["function_call_output", "custom_tool_call_output"]);
const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "developer", "system"]);

/** The event that takes back turns. */
export const ROLLED_BACK = "thread_rolled_back";

/** Events that start or take back turns, or report a failure: they do not come between the items of an answer. */
const TURN_EVENTS: ReadonlySet<unknown> = new Set(["task_started", "turn_started", "error", ROLLED_BACK]);

export const LINE_TYPES: ReadonlySet<unknown> = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
  "world_state",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "security_risk_score",
  "token_usage_record",
  CARRIED,
]);

export function payloadOf({ payload }: JsonRecord): JsonObject {
  return isObject(payload) ? payload : {};
}

/** The response item of a line; undefined for other lines. */
export function itemIn(record: JsonRecord): JsonObject | undefined {
  if (record["type"] === "response_item" && isObject(record["payload"])) return record["payload"];
  return isBareItem(record) ? record : undefined;
}

/** Whether a line is an item without an envelope. */
export function isBareItem(record: JsonRecord): boolean {
  const { type, role, payload, content } = record;
  if (payload !== undefined) return false;
  if (type === "message" || (type === undefined && Array.isArray(content))) return ROLES.has(role);
  return type === "reasoning" || CALLS.has(type) || OUTPUTS.has(type);
}

/** Whether a line is the header of early files. */
function isBareHeader({ type, payload, id, timestamp, role, record_type }: JsonRecord): boolean {
  const isHeader = isString(id) && isString(timestamp);
  const isBare = type === undefined && payload === undefined && role === undefined;
  return isHeader && isBare && record_type === undefined;
}

/** Whether an item is a message, which may omit its type. */
export function isMessageItem({ type, role }: JsonObject): boolean {
  return type === "message" || (type === undefined && ROLES.has(role));
}

export function kindOf(record: JsonRecord): Kind {
  const { type } = record;
  const item = itemIn(record);
  if (item !== undefined) return kindOfItem(item);
  if ((type === "session_meta" && isObject(record["payload"])) || isBareHeader(record)) return "session";
  if (type === "event_msg") return kindOfEvent(payloadOf(record));
  if (type === "turn_context") return isOurContext(payloadOf(record)) ? "context" : "other";
  return type === "token_usage_record" ? "loose" : "other";
}

function kindOfItem(item: JsonObject): Kind {
  const { type, role } = item;
  if (isMessageItem(item)) return role === "user" ? "user" : role === "assistant" ? "answer" : "other";
  if (OUTPUTS.has(type)) return isString(item["call_id"]) ? "result" : "other";
  return type === "reasoning" || CALLS.has(type) || OPAQUE_ITEMS.has(type) ? "answer" : "other";
}

function kindOfEvent({ type, info, message, thread_name }: JsonObject): Kind {
  if (type === "user_message") return isString(message) ? "prompt" : "other";
  if (type === "agent_message") return isString(message) ? "echo" : "loose";
  if (type === "thread_name_updated") return isString(thread_name) ? "title" : "other";
  if (type === "token_count" && isObject(info) && isObject(info["last_token_usage"])) return "count";
  return TURN_EVENTS.has(type) ? "other" : "loose";
}

/**
 * The line that states the model of what follows. A complete one would make Codex believe that it has already described
 * the folder and its policies to the model; it skips this one.
 */
export function contextOf(model: string): JsonObject {
  return { model };
}

function isOurContext(payload: JsonObject): boolean {
  return isString(payload["model"]) && hasExactly(payload, "model");
}

/** Later lines depend on these: they state the session and the model. */
export function isLink({ type, payload }: JsonRecord): boolean {
  return (type === "session_meta" || type === "turn_context") && isObject(payload);
}

/** The model that the last `turn_context` states. */
export function modelIn(last: JsonRecord | undefined): string | undefined {
  const model = last?.["type"] === "turn_context" ? payloadOf(last)["model"] : undefined;
  return isString(model) ? model : undefined;
}

/**
 * Whether a line belongs to the unit that starts with `first`. The unit of an answer extends over its results, because
 * its tokens may be counted after them, and over the events between its items.
 */
export function joins(last: JsonRecord, next: JsonRecord, first: JsonRecord): boolean {
  const start = kindOf(first);
  const isAnswer = start === "context" || start === "answer" || start === "echo";
  if (!isAnswer && start !== "user" && start !== "session") return false;
  const before = last === first ? start : kindOf(last);
  const kind = kindOf(next);
  if (start === "user") return before === "user" && kind === "prompt";
  if (start === "session") return before === "session" && kind === "title";
  if (start === "context" && before === "context") return kind === "answer" || kind === "echo";
  if (kind === "answer" || kind === "echo") return before !== "result" && before !== "count";
  return kind === "result" || kind === "count" || kind === "loose";
}
