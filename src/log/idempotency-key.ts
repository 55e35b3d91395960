import { isObject, isString } from "../core/json/value.js";
import { noteOf } from "../core/message/notes.js";
import type { AgentMessage } from "../core/types.js";

/** The key that a message was sent with, as `ext.sent` records it; for a note of the backlog, that of its message. */
export function idempotencyKeyOf(message: AgentMessage): string | undefined {
  const note = noteOf(message);
  const { ext } = note?.type === "dragoman/inbox" ? note.data.message : message;
  const sent = ext?.["sent"];
  const key = isObject(sent) ? sent["idempotencyKey"] : undefined;
  return isString(key) ? key : undefined;
}

export function idempotencyKeysOf(messages: readonly AgentMessage[]): string[] {
  const keys: string[] = [];
  for (const message of messages) {
    const key = idempotencyKeyOf(message);
    if (key !== undefined) keys.push(key);
  }
  return keys;
}
