import { isBroken, isSilent } from "../core/message/failure.js";
import type { AgentMessage, AssistantMessage, SessionMessage } from "../core/types.js";
import { closeOpenCalls } from "../log/recover.js";
import type { SessionLog } from "../log/types.js";
import type { History } from "./history.js";
import { readMark } from "./run-mark.js";

/**
 * Makes a session whole again: an answer that was cut in the middle is stored as far as it came, with stop reason `error`;
 * calls without a result get one. Whoever does this holds the session's lease, and takes over the mark. True when a run was
 * under way, and the transcript ends with something the model has not answered.
 */
export async function recover(session: SessionLog, history: History, markPath: string): Promise<boolean> {
  await history.read();
  const left = await readMark(markPath);
  const { cut } = left ?? {};
  const said = cut === undefined ? undefined : withoutCalls(cut.message);
  if (said !== undefined && !history.isAnswered(cut?.after)) await history.append([said]);
  await closeOpenCalls(session);
  const messages = await history.read();
  return left !== undefined && isUnanswered(messages) && !isOrphaned(messages, session.header);
}

/**
 * What an answer that was cut had said, without the calls it had begun: none of them was run, and what is left of their
 * arguments is of no use to anybody. Undefined when it had said nothing: then it can be asked for again.
 */
function withoutCalls(cut: AssistantMessage): AssistantMessage | undefined {
  const content = cut.content.filter(({ type }) => type !== "toolCall");
  if (content.length === 0) return undefined;
  const { errorMessage = "" } = cut;
  const begun = cut.content.length > content.length ? "; the calls it had begun were not run" : "";
  return { ...cut, content, errorMessage: `${errorMessage}${begun}` };
}

function isUnanswered(messages: readonly AgentMessage[]): boolean {
  const said = messages.filter((message) => ROLES.has(message.role) && !isStopped(message));
  const last = said.at(-1);
  if (last?.role !== "toolResult") return last?.role === "user";
  // An answer that broke off ends its run, and the results of its calls only complete it.
  const calling = said.findLast((message) => message.role === "assistant");
  return calling === undefined || !isBroken(calling);
}

const ROLES = new Set<AgentMessage["role"]>(["user", "assistant", "toolResult", "error"]);

/** A run that was stopped before the model had said anything, as a process that ends stops its runs, has answered nothing. */
function isStopped(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason === "aborted" && isSilent(message);
}

/** The task of a helper. The call that gave it has been answered by the recovery of its session: nobody waits any more. */
function isOrphaned(messages: readonly AgentMessage[], { parent }: SessionMessage): boolean {
  if (parent?.toolCallId === undefined) return false;
  return messages.findLast(({ role }) => role === "user")?.sender === parent.session;
}
