import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";

export const NAME = "claude-ai";

/**
 * A conversation of an export, `conversations.json`:
 *
 *     {"uuid":"…","name":"…","created_at":"…Z","chat_messages":[
 *       {"uuid":"…","sender":"human","text":"Hi","content":[{"type":"text","text":"Hi"}],"created_at":"…Z","attachments":[],"files":[]},…]}
 *
 * Record 0 is the conversation without its messages; the others are the messages. Newer exports name the parent of each
 * message (`parent_message_uuid`), and conversations that were saved in a browser name the leaf
 * (`current_leaf_message_uuid`).
 */
export interface HeaderRecord extends JsonRecord {
  conversation: JsonObject;
  /** The conversation was the only member of an array. */
  isMember?: true;
}

export function isHeader(record: JsonRecord): record is HeaderRecord {
  return isObject(record["conversation"]) && !Object.hasOwn(record, "sender");
}

/** The parent of a message that starts a conversation. */
export const ROOT = "00000000-0000-4000-8000-000000000000";

export function isBlock<T extends string>(value: unknown, type: T): value is JsonObject & { type: T } {
  return isObject(value) && value["type"] === type;
}

/** What the export writes as `text` of a message: its text blocks, a blank line apart. */
export function textOf(content: readonly unknown[]): string {
  return content
    .flatMap((block) => (isBlock(block, "text") && isString(block["text"]) ? [block["text"]] : []))
    .join("\n\n");
}

export function joins(): boolean {
  return false;
}
