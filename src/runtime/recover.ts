import { isBroken, isSilent } from "../core/message/failure.js";
import { closingResults, openCalls } from "../core/message/open-calls.js";
import { questionMessage, questionsIn, type RecordedQuestion } from "../core/message/question-notes.js";
import type { AgentMessage, AssistantMessage, SessionMessage } from "../core/types.js";
import type { RunMark } from "../log/store.js";
import type { Lease, SessionLog } from "../log/types.js";
import type { History } from "./history.js";
import { interruptedRunIn } from "./run-recorder.js";

/** What a dead process left to do. */
export interface Recovered {
  /** A run was in progress, and the transcript ends with a message that the model has not answered or with calls to resume. */
  isUnanswered: boolean;
  /** Permission requests for calls that have not begun to run. If there are any, the open calls are to be resumed. */
  questions: RecordedQuestion[];
}

/**
 * Repairs a session after a crash: the content of an interrupted answer is stored, with stop reason `error`. Open calls get a
 * result, unless one of them waited for an answer to its permission request: then none of them has run, and all can be
 * resumed. Other requests are withdrawn. The caller must hold the session's lease, and takes over the mark.
 */
export async function recover(
  session: SessionLog,
  history: History,
  mark: RunMark,
  under: Lease,
): Promise<Recovered> {
  const [, text] = await Promise.all([history.read(), mark.read()]);
  const left = text === undefined ? undefined : interruptedRunIn(text);
  const { cut } = left ?? {};
  const answer = cut === undefined ? undefined : withoutCalls(cut.message);
  if (answer !== undefined && !history.isAnswered(cut?.after)) await history.append([answer], { under });
  const before = await history.read();
  const isOrphan = isOrphaned(before, session.header);
  const recorded = questionsIn(sinceAnswer(before), session.id);
  const questions = left === undefined || isOrphan ? [] : resumable(before, recorded);
  if (questions.length > 0) return { isUnanswered: true, questions };
  const open = recorded.filter(({ end }) => end === undefined);
  const withdrawn = open.map(({ request: { id } }) =>
    questionMessage({ state: "withdrawn", id }, Date.now()),
  );
  if (withdrawn.length > 0) await history.append(withdrawn, { under });
  const closing = closingResults(await history.read(), Date.now());
  if (closing.length > 0) await history.append(closing, { under });
  const messages = await history.read();
  return { isUnanswered: left !== undefined && isUnanswered(messages) && !isOrphan, questions };
}

function sinceAnswer(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
}

/** The requests of open calls, if none of these calls has begun to run. */
function resumable(
  messages: readonly AgentMessage[],
  recorded: readonly RecordedQuestion[],
): RecordedQuestion[] {
  const open = new Set(openCalls(messages).map(({ id }) => id));
  return recorded.filter(
    ({ request, isResumable, isStarted }) => isResumable && !isStarted && open.has(request.toolCall.id),
  );
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
  const last = messages.findLast((message) => ROLES.has(message.role) && !isStopped(message));
  if (last?.role !== "toolResult") return last?.role === "user";
  // A broken answer ends its run, and its calls' results only complete it.
  const calling = messages.findLast((message) => message.role === "assistant" && !isStopped(message));
  return calling?.role !== "assistant" || !isBroken(calling);
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
