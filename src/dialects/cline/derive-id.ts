import type { JsonRecord } from "../../core/dialect.js";
import { fnv1aHex } from "../../core/hash.js";
import { isObject } from "../../core/json/value.js";
import type { AssistantMessage, ToolResultMessage, UserMessage } from "../../core/types.js";

/**
 * An id for a message that has none: a hash of what it says, of its place in its turn, and of the id before the turn, so
 * that turns that are equal get ids that are not. The same conversation gets the same ids each time it is written, also
 * after it has grown.
 *
 * @example
 * derivedId({ role: "user", content: "Hi", timestamp: 0 }, 0); // "msg_" and 16 hexadecimal digits
 */
export function derivedId(
  message: UserMessage | AssistantMessage | ToolResultMessage,
  place: number,
  before?: string,
): string {
  const call = message.role === "toolResult" ? message.toolCallId : "";
  const text = JSON.stringify(
    [place, message.role, message.timestamp, call, message.content, before],
    inOneOrder,
  );
  return `msg_${hashOf(text)}`;
}

/** An id for a session that has none: a hash of its first message. The same after the conversation has grown. */
export function derivedSessionId({ id, role, content }: JsonRecord): string {
  return `session_${hashOf(JSON.stringify([id, role, content], inOneOrder))}`;
}

/** One hash of 32 bits would meet its like among some ten thousand messages; two do not. */
function hashOf(text: string): string {
  return `${fnv1aHex(text)}${fnv1aHex(text, 0x2f0b4f47)}`;
}

/** The keys of a block stand in another order when it has travelled in escrow; that makes it no other message. */
function inOneOrder(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  return { type, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) };
}
