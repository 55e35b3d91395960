import { defined } from "../../core/json/defined.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { type Failure, failureIn, isSilent } from "../../core/message/failure.js";
import { idsOf, noteOf } from "../../core/message/notes.js";
import type { AgentCompleteMessage, AgentMessage, AssistantMessage, UserMessage } from "../../core/types.js";
import { encode } from "../../dialects/timbal/encode.js";
import { isUlid, nextBlockId } from "../../dialects/timbal/ids.js";
import { noticeOf } from "./notices.js";
import { threadOfSession } from "./thread-id.js";

/**
 * A line of the log as Timbal frames; none for lines that are not part of the conversation. The frames' ids depend only on the
 * line, so that a client that reads them later, or from the middle, gets the same ones.
 */
export function storedFrames(message: AgentMessage, agent: string): JsonObject[] {
  const note = noteOf(message);
  // Queued messages are shown too.
  if (note?.type === "dragoman/inbox") return storedFrames(note.data.message, agent);
  if (note !== undefined || message.role === "session") return [];
  const notice = noticeOf(message);
  if (notice !== undefined) return [notice.frame];
  switch (message.role) {
    case "user":
      return [...encode([asAgentMessage(message)]), ...mergedRemovals(message)];
    case "assistant":
      return answerFrames({ ...message, sender: message.sender ?? agent });
    case "agentComplete":
      return encode([withThreadId(message)]);
    case "error":
      return encode([{ ...message, sender: message.sender ?? agent }]);
    default:
      return encode([message]);
  }
}

/** Another agent's message is a user message for the model, but not for clients. */
function asAgentMessage(message: UserMessage): AgentMessage {
  const from = message.ext?.["agentMessage"];
  if (!isObject(from) || typeof from["senderId"] !== "string") return message;
  const { role: _, content, ...rest } = message;
  const payload = Object.hasOwn(from, "payload") ? from["payload"] : content;
  const replyTo = typeof from["replyTo"] === "string" ? { replyTo: from["replyTo"] } : {};
  return { ...rest, role: "agentMessage", senderId: from["senderId"], payload, ...replyTo };
}

/** A sub-agent's `agentId` is its session, which clients know as a thread. */
function withThreadId(message: AgentCompleteMessage): AgentCompleteMessage {
  const isOurs = message.ext?.["subAgent"] !== undefined && isUlid(message.agentId);
  return isOurs ? { ...message, agentId: threadOfSession(message.agentId) } : message;
}

/** Messages that were combined into this one had frames of their own while they were queued. */
function mergedRemovals(message: UserMessage): JsonObject[] {
  return idsOf(message)
    .filter((id) => id !== message.id)
    .map((i) => ({ i, v: null }));
}

/** Timbal has no failed answers; an error frame follows the answer, or replaces an empty one. */
function answerFrames(message: AssistantMessage): JsonObject[] {
  const failure = failureIn(message);
  const error = failure === undefined ? [] : encode([errorOf(failure, message)]);
  if (isSilent(message)) return error;
  const frames = encode([message]);
  const last = frames.at(-1);
  if (typeof last?.["i"] !== "string") return frames;
  const i = nextBlockId(last["i"]);
  return [...frames, ...error.map(({ v }) => ({ i, t: last["t"], v }))];
}

function errorOf(
  { message: content, code, retryable: recoverable }: Failure,
  { id, sender, timestamp }: AssistantMessage,
): AgentMessage {
  return defined({ role: "error", content, code, recoverable, id, sender, timestamp });
}
