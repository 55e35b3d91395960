import { ulidToUUID, uuidToULID } from "ulid";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A thread's id in its one spelling; undefined for what is not a UUID. */
export function threadId(text: string): string | undefined {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}

/**
 * The thread id of a session that no client has given one: the 128 bits of the session's ULID, written as a UUID.
 *
 *     01M7FZAGPAA92PWG53EAA6M000 ⇄ 01a1dff5-42ca-5245-6e40-a372946a0000
 */
export function threadOfSession(session: string): string {
  return ulidToUUID(session).toLowerCase();
}

/** The session whose thread id this is, if there is such a session. */
export function sessionOfThread(thread: string): string {
  return uuidToULID(thread);
}
