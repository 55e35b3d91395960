import type { JsonRecord } from "../../core/dialect.js";
import { fnv1aHex } from "../../core/hash.js";
import { isObject } from "../../core/json/value.js";
import type { AssistantMessage, ToolResultMessage, UserMessage } from "../../core/types.js";

/**
 * An id for a message that has none: a hash of its content, its place in its turn, and the id before the turn, so that
 * equal turns get different ids. Writing a conversation again, or a longer version of it, produces the same ids.
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
  const { role, timestamp, content } = message;
  return `msg_${hashOf(JSON.stringify([place, role, timestamp, call, content, before], sortKeys))}`;
}

/** An id for a session that has none: a hash of its first message, so that it stays the same as the conversation grows. */
export function derivedSessionId({ id, role, content }: JsonRecord): string {
  return `session_${hashOf(JSON.stringify([id, role, content], sortKeys))}`;
}

/** 64 bits: 32 would collide among some ten thousand messages. */
function hashOf(text: string): string {
  return `${fnv1aHex(text)}${fnv1aHex(text, 0x2f0b4f47)}`;
}

/** A JSON replacer that sorts keys: escrow may have reordered a block's keys, and its id must not change. */
function sortKeys(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  return { type, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) };
}
