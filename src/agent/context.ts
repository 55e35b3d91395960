import { isSilent } from "../core/failure.js";
import { noteOf } from "../core/notes.js";
import type { AgentMessage, CompactionMessage, UserContent, UserMessage } from "../core/types.js";

/**
 * What a model is shown of a log. What was compacted is replaced by its summary. What other agents and programs put in
 * becomes the text of a user, quoted as JSON so that nothing in it can pass for something else. Lines that are only for people
 * and programs (status, errors, notes) are left out, and so are answers that failed before the model had said anything.
 *
 * @example
 * model.stream({ messages: contextOf(log) });
 */
export function contextOf(messages: readonly AgentMessage[]): AgentMessage[] {
  const compacted = lastCompaction(messages);
  if (compacted === undefined) return messages.flatMap(shown);
  const { compaction, firstKept } = compacted;
  return [summaryMessage(compaction), ...messages.slice(firstKept).flatMap(shown)];
}

/** The compaction that counts, the last one that was not undone, and the index of the first message it keeps. */
export function lastCompaction(
  messages: readonly AgentMessage[],
): { compaction: CompactionMessage; firstKept: number } | undefined {
  const undone = new Set<string>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message === undefined) continue;
    const note = noteOf(message);
    if (note?.type === "dragoman/undo-compaction") undone.add(note.data.id);
    if (message.role !== "compaction" || (message.id !== undefined && undone.has(message.id))) continue;
    const { firstKeptId } = message;
    const kept = firstKeptId === undefined ? -1 : messages.findIndex(({ id }) => id === firstKeptId);
    return { compaction: message, firstKept: kept < 0 ? index : kept };
  }
  return undefined;
}

function summaryMessage({ summary, timestamp }: CompactionMessage): UserMessage {
  return asUser(`Summary of the conversation so far:\n\n${summary}`, timestamp);
}

function shown(message: AgentMessage): AgentMessage[] {
  switch (message.role) {
    case "assistant":
      return isSilent(message) ? [] : [message];
    case "user":
    case "toolResult":
    case "system":
      return [message];
    case "agentComplete":
      // The result of a tool call that started the agent has told the model already.
      if (message.ext?.["subAgent"] !== undefined) return [];
      return [quoted({ agent: message.agentId, result: message.result }, "An agent has finished", message)];
    case "agentMessage":
      return [quoted({ agent: message.senderId, says: message.payload }, "Another agent wrote", message)];
    case "custom":
      if (message.content === undefined) return [];
      return [asUser(wrapped(message.content, message.customType), message.timestamp)];
    default:
      return [];
  }
}

function quoted(value: unknown, title: string, { timestamp }: AgentMessage): UserMessage {
  return asUser(`${title} (as JSON): ${JSON.stringify(value)}`, timestamp);
}

function wrapped(content: string | UserContent[], customType: string): UserMessage["content"] {
  const wrap = (text: string) => `A program adds (as JSON): ${JSON.stringify({ type: customType, text })}`;
  if (typeof content === "string") return wrap(content);
  return content.map((block) => (block.type === "text" ? { ...block, text: wrap(block.text) } : block));
}

function asUser(content: UserMessage["content"], timestamp: number): UserMessage {
  return { role: "user", content, timestamp };
}
