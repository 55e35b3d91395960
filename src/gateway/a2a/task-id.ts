import { peerOf } from "../../log/key.js";
import type { Conversation } from "../../runtime/conversation.js";
import type { TaskName } from "./wire.js";

/** `<session>.<message>`: a task is the answer to a message, so that its id needs no table and survives every restart. */
const TASK = /^([0-7][0-9A-HJKMNP-TV-Z]{25})\.([0-9A-Za-z_-]{1,64})$/;

export function nameTask(conversation: Conversation, messageId: string): TaskName {
  return {
    taskId: `${conversation.session.id}.${messageId}`,
    contextId: contextIdOf(conversation),
  };
}

/** The session and the message of a task; undefined if the id is not one of ours. */
export function readTaskId(id: string): { session: string; messageId: string } | undefined {
  const [, session, messageId] = TASK.exec(id) ?? [];
  return session === undefined || messageId === undefined ? undefined : { session, messageId };
}

/** The id that the client has chosen for the context, or the session's. */
function contextIdOf({ session }: Pick<Conversation, "session">): string {
  const { key } = session.header;
  const peer = key === undefined ? undefined : peerOf(key);
  return peer?.channel === "page" ? peer.peer : (key ?? session.id);
}
