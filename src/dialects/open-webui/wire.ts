import type { JsonRecord } from "../../core/dialect.js";
import { isObject, type JsonObject } from "../../core/json/value.js";

export const NAME = "open-webui";

/**
 * A chat of an export, which is also what the import accepts:
 *
 *     [{"id":"…","title":"…","created_at":1700000000,"chat":{"title":"…","models":["…"],"history":{"currentId":"m2","messages":{
 *       "m1":{"id":"m1","parentId":null,"childrenIds":["m2"],"role":"user","content":"Hi","timestamp":1700000000},
 *       "m2":{"id":"m2","parentId":"m1","childrenIds":[],"role":"assistant","content":"Hello","model":"…","done":true,…}}}}}]
 *
 * Record 0 is the chat without its messages; the others are the messages.
 */
export interface HeaderRecord extends JsonRecord {
  entry: JsonObject;
  /** The chat is not the member of an array. */
  isAlone?: true;
  /** The older form: what is otherwise under `chat`. */
  isBare?: true;
  /** It has no `currentId`. */
  isLeafless?: true;
  /** It repeats the messages of the active branch in `chat.messages`. */
  isRepeated?: true;
}

export interface MessageRecord extends JsonRecord {
  /** Without `childrenIds`, if they are the messages that name this one as their parent. */
  message: JsonObject;
  /** Its key among the messages, if that is not its id, or its id and a number that makes it unique. */
  key?: string;
  /** It has no `childrenIds`. */
  isChildless?: true;
}

export function isHeader(record: JsonRecord): record is HeaderRecord {
  return isObject(record["entry"]);
}

export function isMessage(record: JsonRecord): record is MessageRecord {
  return isObject(record["message"]);
}

export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

export function joins(): boolean {
  return false;
}

/** The ids of an answer's steps. */
export function stepsIn({ output }: JsonObject): unknown[] {
  return Array.isArray(output) ? output.map((item: unknown) => isObject(item) && item["id"]) : [];
}
