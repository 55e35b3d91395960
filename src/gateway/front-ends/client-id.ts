import { idsOf } from "../../core/message/notes.js";
import type { UserMessage } from "../../core/types.js";
import { sentMark } from "../../runtime/sent-mark.js";

const PREFIX = "page:";

/** A message is accepted once for each id that a page gives it. */
export function onceKeyOf(clientId: string): string {
  return `${PREFIX}${clientId}`;
}

/** The id of a user message in the page that sent it, or ours if it came from elsewhere. */
export function clientIdOf(message: UserMessage): string | undefined {
  const { idempotencyKey } = sentMark(message);
  return idempotencyKey?.startsWith(PREFIX) === true ? idempotencyKey.slice(PREFIX.length) : message.id;
}

/** Whether a page means this message by an id. */
export function isNamed(message: UserMessage, id: string): boolean {
  return clientIdOf(message) === id || idsOf(message).includes(id);
}
