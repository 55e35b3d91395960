import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { responsesIn } from "../../core/records/content-parts.js";

export const NAME = "gemini-cli";

/** Every answer comes through this API. */
export const API = "google-generative-ai";
export const PROVIDER = "google";

/**
 * A session is a file of lines. Until version 0.40 it was one document: the header, with all messages in `messages`.
 *
 *     {"sessionId":"S","projectHash":"…","startTime":"…","lastUpdated":"…","kind":"main"}
 *     {"id":"U1","timestamp":"…","type":"user","content":[{"text":"…"}]}
 *     {"$set":{"lastUpdated":"…"}}
 *     {"id":"A1","timestamp":"…","type":"gemini","content":"…","thoughts":[…],"tokens":{…},"model":"…","toolCalls":[…]}
 *     {"$rewindTo":"U1"}
 *
 * A message is written again, with the same id, when its calls have results. The results are also written as a user message.
 */
type Kind = "header" | "message" | "set" | "carried" | "other";

/** The types of messages that Gemini CLI knows. */
export const TYPES: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "warning", "error"]);

export function kindOf(record: JsonRecord): Kind {
  if (isString(record["id"])) return "message";
  if (isObject(record["$set"])) return "set";
  if (isHeader(record)) return "header";
  return isObject(record["dragoman"]) && Object.keys(record).length === 1 ? "carried" : "other";
}

function isHeader({ sessionId, projectHash, messages }: JsonRecord): boolean {
  return isString(sessionId) && (isString(projectHash) || Array.isArray(messages));
}

/** Whether it is a whole session: the form of older versions. */
export function isDocument(record: JsonRecord): boolean {
  return kindOf(record) === "header" && Array.isArray(record["messages"]);
}

/** Whether a line has only results of calls. */
function isResultLine({ id, type, content }: JsonRecord): boolean {
  return isString(id) && type === "user" && responsesIn(content) !== undefined;
}

/** Whether a line changes only the header, and not the title. */
export function isPlainSet(record: JsonRecord): boolean {
  const { $set: set } = record;
  if (kindOf(record) !== "set" || !isObject(set)) return false;
  return !Object.hasOwn(set, "summary") && !Object.hasOwn(set, "messages");
}

/** The id of a message; a later line with the same id replaces it. */
export function idOf({ id }: JsonRecord): string | undefined {
  return isString(id) ? id : undefined;
}

/** Whether ids and times of new lines are derived from it. */
export function isLink(record: JsonRecord): boolean {
  return kindOf(record) === "message";
}

/**
 * Whether a line can belong to the unit that starts with `first`: a change of the header, another version of the same message,
 * or results of its calls.
 */
export function joins(_last: JsonRecord, next: JsonRecord, first: JsonRecord): boolean {
  const kind = kindOf(first);
  if (isDocument(first) || (kind !== "header" && kind !== "message")) return false;
  if (isPlainSet(next)) return true;
  if (kind !== "message" || kindOf(next) !== "message") return false;
  return next["id"] === first["id"] || (first["type"] === "gemini" && isResultLine(next));
}
