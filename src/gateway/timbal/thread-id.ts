import { ulidToUUID, uuidToULID } from "ulid";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A thread's id in lower case; undefined if it is not a UUID. */
export function threadId(text: string): string | undefined {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}

/**
 * The thread id of a session without one from a client: the 128 bits of the session's ULID as a UUID.
 *
 *     01M7FZAGPAA92PWG53EAA6M000 ⇄ 01a1dff5-42ca-5245-6e40-a372946a0000
 */
export function threadOfSession(session: string): string {
  return ulidToUUID(session).toLowerCase();
}

/** The id of the session with this thread id, whether or not it exists. */
export function sessionOfThread(thread: string): string {
  return uuidToULID(thread);
}
