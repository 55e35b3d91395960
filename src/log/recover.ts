import { closingResults } from "../core/message/open-calls.js";
import type { AgentMessage, ToolResultMessage } from "../core/types.js";
import { is } from "../core/validate.js";
import type { AppendOptions, Position, SessionLog } from "./types.js";

const AT_ONCE = 32;

/**
 * Appends a result for every open call of the last answer, so that models accept the transcript, and returns the results.
 * Only for the holder of the session's lease: otherwise a call may be running in another process.
 */
export async function closeOpenCalls(
  session: SessionLog,
  now: () => number = Date.now,
  options: Pick<AppendOptions, "under"> = {},
): Promise<ToolResultMessage[]> {
  const closing = closingResults(await sinceLastAnswer(session), now());
  if (closing.length === 0) return [];
  const { messages } = await session.append(closing, options);
  return messages.filter((message) => is("ToolResultMessage", message));
}

/** Reads backwards to the last answer. */
export async function sinceLastAnswer(session: SessionLog): Promise<AgentMessage[]> {
  const found: AgentMessage[] = [];
  let before: Position | undefined;
  do {
    const entries = await session.last(AT_ONCE, before === undefined ? {} : { before });
    found.unshift(...entries.map(({ message }) => message));
    if (entries.some(({ message }) => message.role === "assistant")) return found;
    before = entries[0]?.position;
  } while (before !== undefined && before > 0);
  return found;
}
