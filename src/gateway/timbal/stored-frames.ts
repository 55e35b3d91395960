import { isObject, type JsonObject } from "../../core/json/value.js";
import { type Failure, failureIn, isSilent } from "../../core/message/failure.js";
import { idsOf, noteOf } from "../../core/message/notes.js";
import type { AgentCompleteMessage, AgentMessage, AssistantMessage, UserMessage } from "../../core/types.js";
import { encode } from "../../dialects/timbal/encode.js";
import { isUlid, nextBlockId } from "../../dialects/timbal/ids.js";
import { noticeOf } from "./notices.js";
import { threadOfSession } from "./thread-id.js";

/**
 * A line of the log as Timbal frames; none for lines that are no part of the conversation. What the frames are called
 * depends on the line alone, so that whoever reads them later, or from the middle, gets the same ones.
 */
export function storedFrames(message: AgentMessage, agent: string): JsonObject[] {
  const note = noteOf(message);
  // What waits for its turn has been said: everybody may see it.
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

/** What another agent has said is, for the model, what a user says; for those who watch it is not. */
function asAgentMessage(message: UserMessage): AgentMessage {
  const from = message.ext?.["agentMessage"];
  if (!isObject(from) || typeof from["senderId"] !== "string") return message;
  const { role: _, content, ...rest } = message;
  const payload = Object.hasOwn(from, "payload") ? from["payload"] : content;
  const replyTo = typeof from["replyTo"] === "string" ? { replyTo: from["replyTo"] } : {};
  return { ...rest, role: "agentMessage", senderId: from["senderId"], payload, ...replyTo };
}

/** Of an agent that was started here, `agentId` is the session it worked in. Followers know that session as a thread. */
function withThreadId(message: AgentCompleteMessage): AgentCompleteMessage {
  const isOurs = message.ext?.["subAgent"] !== undefined && isUlid(message.agentId);
  return isOurs ? { ...message, agentId: threadOfSession(message.agentId) } : message;
}

/** Messages that were made one were shown each by itself while they waited. */
function mergedRemovals(message: UserMessage): JsonObject[] {
  return idsOf(message)
    .filter((id) => id !== message.id)
    .map((i) => ({ i, v: null }));
}

/** Timbal's answers do not say that they failed. An error does: beside what was said, or alone if that is nothing. */
function answerFrames(message: AssistantMessage): JsonObject[] {
  const failure = failureIn(message);
  const { id, sender, timestamp } = message;
  const error = failure === undefined ? [] : encode([errorOf(failure, { id, sender, timestamp })]);
  if (isSilent(message)) return error;
  const frames = encode([message]);
  const last = frames.at(-1);
  if (typeof last?.["i"] !== "string") return frames;
  const i = nextBlockId(last["i"]);
  return [...frames, ...error.map(({ v }) => ({ i, t: last["t"], v }))];
}

function errorOf(
  { message, code, retryable }: Failure,
  {
    id,
    sender,
    timestamp,
  }: Pick<AgentMessage, "timestamp"> & { id?: string | undefined; sender?: string | undefined },
): AgentMessage {
  return {
    role: "error",
    content: message,
    ...(code === undefined ? {} : { code }),
    ...(retryable === undefined ? {} : { recoverable: retryable }),
    ...(id === undefined ? {} : { id }),
    ...(sender === undefined ? {} : { sender }),
    timestamp,
  };
}
