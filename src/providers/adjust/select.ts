import { isBroken, isSilent } from "../../core/failure.js";
import type { AgentMessage, CompactionMessage, Message, UserMessage } from "../../core/types.js";
import { at, type Entry, type Report } from "./entry.js";

/**
 * What a model is shown of a conversation: users, answers and results. Older messages that were compacted are
 * replaced by their summary, answers that failed are left out, and what other agents and programs put in becomes user text.
 */
export function select(messages: readonly AgentMessage[], report: Report): Entry[] {
  const entries: Entry[] = [];
  for (const [index, message] of uncompacted(messages)) {
    const shown = show(message, { index }, report);
    if (shown !== undefined) entries.push({ message: shown, index });
  }
  return entries;
}

/** The latest compaction first, then what it kept, then what came after it. */
function uncompacted(messages: readonly AgentMessage[]): [number, AgentMessage][] {
  const all = [...messages.entries()];
  const last = messages.findLastIndex(({ role }) => role === "compaction");
  const compaction = all[last];
  if (compaction?.[1].role !== "compaction") return all;
  const { firstKeptId } = compaction[1];
  const kept = firstKeptId === undefined ? last : messages.findIndex(({ id }) => id === firstKeptId);
  return [compaction, ...all.filter(([index]) => index !== last && index >= (kept < 0 ? last : kept))];
}

function show(message: AgentMessage, place: { index: number }, report: Report): Message | undefined {
  switch (message.role) {
    case "user":
    case "toolResult":
      return message;
    case "assistant":
      if (!isBroken(message)) return message;
      // Nothing was said, so nothing is lost.
      if (isSilent(message)) return undefined;
      report({
        at: at(place),
        what: `an answer that ended in "${message.stopReason}"`,
        why: "half an answer is not sent back to a model",
        severity: "dropped",
      });
      return undefined;
    case "compaction":
      return asUser(message, summaryOf(message));
    case "custom":
      return message.content === undefined ? undefined : asUser(message, message.content);
    case "system":
      report(asUserText(place, "a system message in mid-conversation"));
      return asUser(message, message.content);
    case "agentComplete":
      report(asUserText(place, "the result of a sub-agent"));
      return asUser(message, `Agent ${message.agentId} finished: ${JSON.stringify(message.result)}`);
    case "agentMessage":
      report(asUserText(place, "a message of another agent"));
      return asUser(message, `Agent ${message.senderId} says: ${JSON.stringify(message.payload)}`);
    default:
      // Sessions, status lines, errors shown to people, and roles that programs added are not for the model.
      return undefined;
  }
}

function summaryOf({ summary }: CompactionMessage): string {
  return `Summary of the conversation so far:\n\n${summary}`;
}

function asUser({ timestamp }: { timestamp: number }, content: UserMessage["content"]): UserMessage {
  return { role: "user", content, timestamp };
}

function asUserText(place: { index: number }, what: string) {
  return {
    at: at(place),
    what,
    why: "models take it as the text of a user",
    severity: "approximated" as const,
  };
}
