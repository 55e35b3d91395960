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

/** What a model is shown of the messages that a compaction covers. */
export interface CarriedOver {
  /** Absent if the compaction has no summary, or another history instead. */
  summary?: UserMessage;
  /** Each with the index of the message it is read from. */
  messages: { message: AgentMessage; index: number }[];
}

/** What a compaction carries over from the messages before `firstKept`. */
export function carriedOver(
  { compaction, index, firstKept }: LastCompaction,
  messages: readonly AgentMessage[],
): CarriedOver {
  const { replacement, keptIds = [], summary, verbatim, timestamp } = compaction;
  if (replacement !== undefined) return { messages: replacement.map((message) => ({ message, index })) };
  const ids = new Set<string | undefined>(keptIds);
  const kept: CarriedOver["messages"] = [];
  for (let at = 0; at < firstKept && ids.size > 0; at++) {
    const message = messages[at];
    if (message?.id !== undefined && ids.has(message.id)) kept.push({ message, index: at });
  }
  if (summary === "") return { messages: kept };
  const text = verbatim === true ? summary : `Summary of the conversation so far:\n\n${summary}`;
  return { summary: asUser(text, timestamp), messages: kept };
}
