import { DragomanError } from "../core/error.js";
import type { PermissionRequest } from "../core/message/question-notes.js";
import type { Conversation } from "./conversation.js";
import type { Runtime } from "./runtime.js";

export interface WaitingQuestion {
  conversation: Conversation;
  request: PermissionRequest;
}

/**
 * The permission requests of all sessions that wait for an answer, also in other processes, oldest first. Those of a sub-agent
 * are listed with the session that started it. Only due sessions are read, and only their ends.
 */
export async function waitingQuestions(runtime: Pick<Runtime, "store" | "open">): Promise<WaitingQuestion[]> {
  const found: WaitingQuestion[] = [];
  for (const id of await runtime.store.due.list()) {
    const conversation = await openIfThere(runtime, id);
    if (conversation === undefined || conversation.session.header.parent?.toolCallId !== undefined) continue;
    for (const request of await conversation.permissions.pending()) found.push({ conversation, request });
  }
  return found.sort((one, other) => one.request.asked - other.request.asked);
}

/** A session that was deleted may still be due. */
async function openIfThere(runtime: Pick<Runtime, "open">, id: string): Promise<Conversation | undefined> {
  try {
    return await runtime.open(id);
  } catch (error) {
    if (error instanceof DragomanError && error.code === "log/no-session") return undefined;
    throw error;
  }
}
