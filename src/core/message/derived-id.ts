import { fnv1aHex } from "../hash.js";
import { isObject } from "../json/value.js";
import type { AssistantMessage, SystemMessage, ToolResultMessage, UserMessage } from "../types.js";

/**
 * An id for a message that has none: a hash of its content, its place in its turn, and the id before the turn, so that
 * equal turns get different ids. Writing a conversation again, or a longer version of it, produces the same ids.
 *
 * @example
 * derivedId({ role: "user", content: "Hi", timestamp: 0 }, 0); // "msg_" and 16 hexadecimal digits
 */
export function derivedId(
  message: UserMessage | AssistantMessage | ToolResultMessage | SystemMessage,
  place: number,
  before?: string,
): string {
  const call = message.role === "toolResult" ? message.toolCallId : "";
  const { role, timestamp, content } = message;
  return `msg_${hashOfJson([place, role, timestamp, call, content, before])}`;
}

/** 64 bits, as hexadecimal digits: 32 would collide among some ten thousand messages. */
export function hashOfJson(value: unknown): string {
  const text = JSON.stringify(value, sortKeys);
  return `${fnv1aHex(text)}${fnv1aHex(text, 0x2f0b4f47)}`;
}

/** A JSON replacer that sorts keys: escrow may have reordered a block's keys, and its id must not change. */
function sortKeys(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  const { type, ...rest } = value;
  return { type, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) };
}
