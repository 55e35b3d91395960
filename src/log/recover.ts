import type { AssistantMessage, ToolCall, ToolResultMessage } from "../core/types.js";
import { is } from "../core/validate.js";
import type { Position, SessionLog } from "./types.js";

const AT_ONCE = 32;
const INTERRUPTED = "The process stopped before the tool finished. Whether it had any effect is unknown.";

/**
 * Appends a result for every call of the last answer that has none, so that models accept the transcript again.
 * Returns what it appended. Only for who has the lease of the session: a call may be running in another process.
 */
export async function closeOpenCalls(
  session: SessionLog,
  now: () => number = Date.now,
): Promise<ToolResultMessage[]> {
  const open = await openCalls(session);
  if (open.length === 0) return [];
  const { messages } = await session.append(open.map((call) => interrupted(call, now())));
  return messages.filter((message) => is("ToolResultMessage", message));
}

/** Reads backwards, as far as the last answer. */
async function openCalls(session: SessionLog): Promise<ToolCall[]> {
  const answered = new Set<string>();
  let before: Position | undefined;
  do {
    const entries = await session.last(AT_ONCE, before === undefined ? {} : { before });
    for (const { message } of entries.reverse()) {
      if (message.role === "toolResult") answered.add(message.toolCallId);
      if (message.role === "assistant") return callsOf(message).filter(({ id }) => !answered.has(id));
    }
    before = entries.at(-1)?.position;
  } while (before !== undefined && before > 0);
  return [];
}

function callsOf({ content }: AssistantMessage): ToolCall[] {
  return content.filter((block) => block.type === "toolCall");
}

function interrupted({ id, name }: ToolCall, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text: INTERRUPTED }],
    details: { reason: "interrupted" },
    isError: true,
    timestamp,
  };
}
