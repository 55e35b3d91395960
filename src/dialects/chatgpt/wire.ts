import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";

export const NAME = "chatgpt";

/**
 * A conversation of an export, `conversations.json`:
 *
 *     {"title":"…","create_time":1700000000.5,"conversation_id":"…","current_node":"n2","mapping":{
 *       "n0":{"id":"n0","message":null,"parent":null,"children":["n1"]},
 *       "n1":{"id":"n1","message":{"id":"n1","author":{"role":"user"},"content":{"content_type":"text","parts":["Hi"]},…},
 *             "parent":"n0","children":["n2"]},…}}
 *
 * Record 0 is the conversation without the nodes that have a message; the others are those nodes.
 */
export interface HeaderRecord extends JsonRecord {
  conversation: JsonObject;
  /** The conversation was the only member of an array. */
  isMember?: true;
  /** It has no `current_node`. */
  isLeafless?: true;
}

export interface NodeRecord extends JsonRecord {
  /** Without `children`, if they are the nodes that name this one as their parent. */
  node: JsonObject;
  /** The closest ancestor that has a message; null at a root. Undefined in a record that another system's message became. */
  parent?: string | null;
  /** Whether that ancestor calls a tool. */
  isAnswer?: true;
  /** The node's key in the mapping, if it is not its id. */
  key?: string;
  /** It has no `children`. */
  isChildless?: true;
}

export function isHeader(record: JsonRecord): record is HeaderRecord {
  return isObject(record["conversation"]);
}

export function isNode(record: JsonRecord): record is NodeRecord {
  return isObject(record["node"]) && isObject(record["node"]["message"]);
}

/** The message in a node, with empty objects for what it lacks. */
export function messageIn(node: JsonObject): JsonObject {
  return objectIn(node, "message");
}

export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** Whether a node's message is written to a tool instead of to the user. */
export function isCall(node: JsonObject): boolean {
  const message = messageIn(node);
  const { recipient } = message;
  if (!isString(recipient) || recipient === "all") return false;
  const isAnswer = objectIn(message, "author")["role"] === "assistant";
  return isAnswer && callText(objectIn(message, "content")) !== undefined;
}

/** The text that is written to a tool; undefined for content of another kind. */
export function callText({ content_type: type, text, parts }: JsonObject): string | undefined {
  if (type === "code" && isString(text)) return text;
  const [only]: unknown[] = Array.isArray(parts) && parts.length === 1 ? parts : [];
  return type === "text" && isString(only) ? only : undefined;
}

export function joins(): boolean {
  return false;
}
