import { noteOf } from "../message/notes.js";
import type { AgentMessage, CompactionMessage, UserMessage } from "../types.js";
import { asUser } from "./as-user.js";

export interface LastCompaction {
  compaction: CompactionMessage;
  /** The index of the compaction itself. */
  index: number;
  /** The index of the first message it keeps. */
  firstKept: number;
}

/** The last compaction that was not undone. */
export function lastCompaction(messages: readonly AgentMessage[]): LastCompaction | undefined {
  const undone = new Set<string>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message === undefined) continue;
    const note = noteOf(message);
    if (note?.type === "dragoman/undo-compaction") undone.add(note.data.id);
    if (message.role !== "compaction" || (message.id !== undefined && undone.has(message.id))) continue;
    const { firstKeptId } = message;
    const kept = firstKeptId === undefined ? -1 : messages.findIndex(({ id }) => id === firstKeptId);
    return { compaction: message, index, firstKept: kept < 0 ? index : kept };
  }
  return undefined;
}

export function summaryMessage({ summary, timestamp }: CompactionMessage): UserMessage {
  return asUser(`Summary of the conversation so far:\n\n${summary}`, timestamp);
}
