import { idsOf } from "../../core/message/notes.js";
import type { AgentMessage, UserMessage } from "../../core/types.js";
import { Answer } from "./answer.js";
import type { ChunkWriter, Envelope } from "./chunk-writer.js";
import { framesOf } from "./event-stream.js";

/** The stored answer to a message; undefined if it has none. */
export function storedAnswer<C>(
  writer: ChunkWriter<C>,
  messages: readonly AgentMessage[],
  messageId: string | undefined,
): Answer<C> | undefined {
  const at = messages.findLastIndex(
    (message) => message.role === "user" && messageId !== undefined && idsOf(message).includes(messageId),
  );
  if (at < 0) return undefined;
  const answer = answerAt(writer, messages, at);
  return answer.outcome === undefined ? undefined : answer;
}

/** The frames of all stored answers, one piece for each. */
export function* storedFrames<C>(
  messages: readonly AgentMessage[],
  makeWriter: () => ChunkWriter<C>,
  envelopeFor: (prompt: UserMessage) => Envelope<C>,
): Generator<Uint8Array> {
  for (const [at, prompt] of messages.entries()) {
    if (prompt.role !== "user") continue;
    const { open, begin, close } = envelopeFor(prompt);
    const { first, turn, chunks, end } = answerAt(makeWriter(), messages, at);
    const begun = first === undefined ? [] : begin(first);
    const ended = end === undefined ? [] : close(end, turn);
    yield framesOf([...open(), ...begun, ...chunks, ...ended]);
  }
}

/** The id of the user message whose answer has one of these calls. */
export function promptBefore(
  messages: readonly AgentMessage[],
  toolCallIds: ReadonlySet<string>,
): string | undefined {
  const at = messages.findLastIndex(
    (message) =>
      message.role === "assistant" &&
      message.content.some((block) => block.type === "toolCall" && toolCallIds.has(block.id)),
  );
  return messages.slice(0, Math.max(at, 0)).findLast(({ role }) => role === "user")?.id;
}

/** The stored answer to the user message at an index, as far as it goes. */
function answerAt<C>(writer: ChunkWriter<C>, messages: readonly AgentMessage[], at: number): Answer<C> {
  const prompt = messages[at];
  if (prompt?.role !== "user") throw new TypeError("expected a user message");
  const answer = new Answer(writer, prompt);
  for (const message of messages.slice(at + 1)) {
    if (message.role === "user") break;
    answer.addMessage(message);
  }
  answer.finish(answer.outcome ?? "error", "the message was not answered");
  return answer;
}
