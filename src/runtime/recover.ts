import { isBroken, isSilent } from "../core/message/failure.js";
import type { AgentMessage, AssistantMessage, SessionMessage } from "../core/types.js";
import { closeOpenCalls } from "../log/recover.js";
import type { RunMark } from "../log/store.js";
import type { Lease, SessionLog } from "../log/types.js";
import type { History } from "./history.js";
import { interruptedRunIn } from "./run-recorder.js";

/**
 * Repairs a session after a crash: the content of an interrupted answer is stored, with stop reason `error`, and open calls
 * get a result. The caller must hold the session's lease, and takes over the mark. True when a run was in progress and the
 * transcript ends with a message that the model has not answered.
 */
export async function recover(
  session: SessionLog,
  history: History,
  mark: RunMark,
  under: Lease,
): Promise<boolean> {
  await history.read();
  const text = await mark.read();
  const left = text === undefined ? undefined : interruptedRunIn(text);
  const { cut } = left ?? {};
  const answer = cut === undefined ? undefined : withoutCalls(cut.message);
  if (answer !== undefined && !history.isAnswered(cut?.after)) await history.append([answer], { under });
  await closeOpenCalls(session, Date.now, { under });
  const messages = await history.read();
  return left !== undefined && isUnanswered(messages) && !isOrphaned(messages, session.header);
}

/**
 * An interrupted answer without the calls it had begun: none of them was run, and their partial arguments are useless.
 * Undefined when nothing is left: then the model can be asked again.
 */
function withoutCalls(cut: AssistantMessage): AssistantMessage | undefined {
  const content = cut.content.filter(({ type }) => type !== "toolCall");
  if (content.length === 0) return undefined;
  const { errorMessage = "" } = cut;
  const begun = cut.content.length > content.length ? "; the calls it had begun were not run" : "";
  return { ...cut, content, errorMessage: `${errorMessage}${begun}` };
}

function isUnanswered(messages: readonly AgentMessage[]): boolean {
  const relevant = messages.filter((message) => ROLES.has(message.role) && !isStopped(message));
  const last = relevant.at(-1);
  if (last?.role !== "toolResult") return last?.role === "user";
  // A broken answer ends its run, and its calls' results only complete it.
  const calling = relevant.findLast((message) => message.role === "assistant");
  return calling === undefined || !isBroken(calling);
}

const ROLES = new Set<AgentMessage["role"]>(["user", "assistant", "toolResult", "error"]);

/** A run that was stopped before any content arrived, such as by the end of its process, has answered nothing. */
function isStopped(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason === "aborted" && isSilent(message);
}

/** A sub-agent's task. Recovering the parent session has closed the call that started it, so no answer is needed. */
function isOrphaned(messages: readonly AgentMessage[], { parent }: SessionMessage): boolean {
  if (parent?.toolCallId === undefined) return false;
  return messages.findLast(({ role }) => role === "user")?.sender === parent.session;
}
