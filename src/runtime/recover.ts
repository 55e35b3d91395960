import { noteOf } from "../core/notes.js";
import type { AgentMessage, UserMessage } from "../core/types.js";
import { closeOpenCalls } from "../log/recover.js";
import type { SessionLog } from "../log/types.js";
import type { History } from "./history.js";
import { readMark } from "./run-mark.js";

/** What a process that is gone has left to do. */
export interface Left {
  /** Accepted, and not in the transcript yet. */
  waiting: UserMessage[];
  /** A run was under way, and the transcript ends with something the model has not answered. */
  unanswered: boolean;
}

/**
 * Makes a session whole again: an answer that was cut in the middle is stored as far as it came, with stop reason `error`;
 * calls without a result get one. Whoever does this holds the session's lease, and takes over the mark.
 */
export async function recover(
  session: SessionLog,
  history: History,
  markPath: string,
  now: () => number,
): Promise<Left> {
  await history.read();
  const left = await readMark(markPath);
  const { cut } = left ?? {};
  // If the log went on after the answer began, the answer is in it.
  if (cut !== undefined && cut.after === history.lastId) await history.append([cut.message]);
  await closeOpenCalls(session, now);
  const messages = await history.read();
  return { waiting: waitingIn(messages), unanswered: left !== undefined && isUnanswered(messages) };
}

/** What was accepted and is not in the transcript yet. */
export function waitingIn(messages: readonly AgentMessage[]): UserMessage[] {
  const open = new Map<string, UserMessage>();
  for (const message of messages) {
    const note = noteOf(message);
    if (note?.type === "dragoman/inbox") open.set(note.data.message.id ?? "", note.data.message);
    else if (message.role === "user") for (const id of idsOf(message)) open.delete(id);
  }
  return [...open.values()];
}

/** A message that was made of several has the ids of all of them. */
export function idsOf({ id, ext }: UserMessage): string[] {
  const collected: unknown = ext?.["collected"];
  const others = Array.isArray(collected) ? collected.map((one: { id?: unknown }) => one.id) : [];
  return [id, ...others].filter((one) => typeof one === "string");
}

function isUnanswered(messages: readonly AgentMessage[]): boolean {
  const last = messages.findLast(
    ({ role }) => role === "user" || role === "assistant" || role === "toolResult" || role === "error",
  );
  return last?.role === "user" || last?.role === "toolResult";
}
