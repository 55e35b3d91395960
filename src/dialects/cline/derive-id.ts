import type { JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import type { AssistantMessage, ToolResultMessage, UserMessage } from "../../core/types.js";

/**
 * An id for a message that has none: a hash of what it says and of its place in its turn. The same conversation gets
 * the same ids each time it is written, also after it has grown.
 *
 * @example
 * derivedId({ role: "user", content: "Hi", timestamp: 0 }, 0); // "msg_" and 16 hexadecimal digits
 */
export function derivedId(
  message: UserMessage | AssistantMessage | ToolResultMessage,
  place: number,
): string {
  const call = message.role === "toolResult" ? message.toolCallId : "";
  const text = JSON.stringify([place, message.role, message.timestamp, call, message.content], inOneOrder);
  return `msg_${hash(text, 0x811c9dc5)}${hash(text, 0x2f0b4f47)}`;
}

/** The keys of a block stand in another order when it has travelled in escrow; that makes it no other message. */
function inOneOrder(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  return { type, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** FNV-1a over UTF-16 units. One of 32 bits would meet its like among some ten thousand messages; two do not. */
function hash(text: string, seed: number): string {
  let state = seed;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0).toString(16).padStart(8, "0");
}

/** Marks a record whose id is derived. JSON does not write it, and a copy of the record keeps it. */
const DERIVED = Symbol("derived id");

export function withDerivedId(record: JsonRecord): JsonRecord {
  return Object.assign(record, { [DERIVED]: true });
}

/** Two turns that are equal, without times, get equal ids; the second one is then numbered. Ids of others are left alone. */
export function uniqueIds(messages: readonly JsonRecord[]): JsonRecord[] {
  const taken = new Set(messages.filter((message) => !isDerived(message)).map(({ id }) => id));
  const numbers = new Map<unknown, number>();
  return messages.map((message) => {
    if (!isDerived(message)) return message;
    const { id } = message;
    let number = (numbers.get(id) ?? 0) + 1;
    while (taken.has(numbered(id, number))) number++;
    numbers.set(id, number);
    return number === 1 ? message : { ...message, id: numbered(id, number) };
  });
}

function isDerived(record: JsonRecord): boolean {
  return Reflect.get(record, DERIVED) === true;
}

function numbered(id: unknown, number: number): unknown {
  return number === 1 ? id : `${id}-${number}`;
}
