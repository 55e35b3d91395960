import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";

export const NAME = "copilot-cli";

/** The provider of every answer. */
export const PROVIDER = "github-copilot";

/** The version of the event log that new sessions state. */
export const VERSION = 1;

/**
 * The event log of a session: a line for each event. `parentId` is the event before it, so that the log is a chain.
 *
 *     {"type":"session.start","data":{"sessionId":"S",…},"id":"E1","timestamp":"…","parentId":null}
 *     {"type":"user.message","data":{"content":"List files"},"id":"E2","timestamp":"…","parentId":"E1"}
 */
export type Kind =
  | "session"
  | "user"
  | "answer"
  | "result"
  | "compaction"
  | "system"
  | "error"
  | "title"
  | "other";

/** The name by which a system message is known as part of the conversation, and not as Copilot's own prompt. */
export const OWN_SYSTEM = "dragoman";

export function dataOf({ data }: JsonRecord): JsonObject {
  return isObject(data) ? data : {};
}

/** What an event is in the conversation. Events of sub-agents are not part of it. */
export function kindOf(record: JsonRecord): Kind {
  const data = dataOf(record);
  if (isString(record["agentId"]) || isString(data["parentToolCallId"])) return "other";
  switch (record["type"]) {
    case "session.start":
      return "session";
    case "user.message":
      return isString(data["content"]) ? "user" : "other";
    case "assistant.message":
      return isString(data["content"]) ? "answer" : "other";
    case "tool.execution_complete":
      return isString(data["toolCallId"]) ? "result" : "other";
    case "session.compaction_complete":
      return data["success"] === true && isString(data["summaryContent"]) ? "compaction" : "other";
    case "system.message":
      return data["name"] === OWN_SYSTEM && isString(data["content"]) ? "system" : "other";
    case "session.error":
      return isString(data["message"]) ? "error" : "other";
    case "session.title_changed":
      return isString(data["title"]) ? "title" : "other";
    default:
      return "other";
  }
}

/** Every line is a unit. */
export function joins(): boolean {
  return false;
}
