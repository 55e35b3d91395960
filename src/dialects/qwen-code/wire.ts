import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";

export const NAME = "qwen-code";

/** The version that new lines state. */
export const VERSION = "0.15.10";

/** The API whose signatures the parts of an answer can have. */
export const SIGNING_API = "google-generative-ai";

/**
 * A session is a file of lines that form a tree. The messages are Google's contents, for any model.
 *
 *     {"uuid":"U1","parentUuid":null,"sessionId":"S","timestamp":"…","type":"user","cwd":"/w","version":"…","message":{"role":"user","parts":[…]}}
 *     {"uuid":"U2","parentUuid":"U1",…,"type":"assistant","model":"…","message":{"role":"model","parts":[…]},"usageMetadata":{…}}
 *     {"uuid":"U3","parentUuid":"U2",…,"type":"tool_result","message":{…},"toolCallResult":{"callId":"…","status":"success"}}
 *     {"uuid":"U4","parentUuid":"U3",…,"type":"system","subtype":"custom_title","systemPayload":{"customTitle":"…"}}
 */
export const TYPES: ReadonlySet<unknown> = new Set(["user", "assistant", "tool_result", "system"]);

/** The fields that every line repeats. */
export const REPEATED = ["sessionId", "cwd", "version", "gitBranch"] as const;

/** All fields that belong to a line, not to its content. */
export const FRAME: ReadonlySet<string> = new Set([
  "uuid",
  "parentUuid",
  "timestamp",
  "type",
  "subtype",
  ...REPEATED,
]);

export const COMPRESSION = "chat_compression";
export const TITLE = "custom_title";
/** Our own subtype for messages that Qwen Code has no line for. */
export const CARRIED = "dragoman";
/** These messages are shown to the user and not to the model. */
export const REALTIME = "realtime_message";
/** Lines beside the conversation: they are never the leaf. */
export const ARTIFACTS: ReadonlySet<string> = new Set([
  "session_artifact_event",
  "session_artifact_snapshot",
]);

type Kind = "user" | "answer" | "result" | "compression" | "title" | "note";

export function kindOf(record: JsonRecord): Kind {
  const { type, subtype, message, systemPayload } = record;
  if (type === "system") {
    if (!isObject(systemPayload)) return "note";
    if (subtype === COMPRESSION && Array.isArray(systemPayload["compressedHistory"])) return "compression";
    return subtype === TITLE && isString(systemPayload["customTitle"]) ? "title" : "note";
  }
  if (!isObject(message) || subtype === REALTIME) return "note";
  if (type === "user") return "user";
  if (type === "assistant") return "answer";
  return type === "tool_result" ? "result" : "note";
}

/** Whether other lines can name it as their parent. */
export function isLink(record: JsonRecord): boolean {
  return isString(record["uuid"]);
}

/** Lines with the same id are parts of one answer. */
export function joins(_last: JsonRecord, next: JsonRecord, first: JsonRecord): boolean {
  return (
    isLink(next) && next["uuid"] === first["uuid"] && kindOf(first) === "answer" && kindOf(next) === "answer"
  );
}
