import type { Origin } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { addressOf } from "../../core/message/media.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { answerHeader } from "../../core/stream/builder.js";
import type { AssistantMessage } from "../../core/types.js";
import { AnswerNotes } from "./answer-notes.js";
import { writeMessage } from "./messages.js";
import { deviation, notesOf, restoreNoted, withNotes } from "./notes.js";
import { readAnswerImage } from "./parts.js";
import { readMessage } from "./read-messages.js";
import { describeFailure, readFinishReason, writeFinishReason } from "./stop-reason.js";
import { badResponse, ChatReader, failureOf } from "./stream-reader.js";
import { writeUsage } from "./usage.js";
import { API, type Chunk, type FinishReason, type ImagePart, NAME } from "./wire.js";

/** Reads the body of an unstreamed answer. */
export function readResponse(body: unknown, origin: Origin): AssistantMessage {
  if (!isObject(body)) throw badResponse("expected an answer");
  const { choices } = body;
  const [choice, ...others]: unknown[] = Array.isArray(choices) ? choices : [];
  if (isObject(choice) && isObject(choice["message"])) {
    const message = readChoice(body, choice, choice["message"], others.filter(isObject), origin);
    return noteSpelling(message, body, choice);
  }
  if (body["error"] === undefined) throw badResponse("the answer has no choices");
  const reader = new ChatReader(origin);
  reader.push(body);
  // The reader of chunks ignores empty fields, which every chunk of some servers has.
  return withNotes(reader.message, { response: deviation(body, {}) });
}

function readChoice(
  { id, model, created, usage, x_groq }: JsonObject,
  { finish_reason }: JsonObject,
  { images, ...wire }: JsonObject,
  others: readonly JsonObject[],
  origin: Origin,
): AssistantMessage {
  const read = readMessage({ ...wire, role: "assistant" }, "/choices/0/message", new Map());
  if (read.role !== "assistant") throw badResponse("the answer is not from an assistant");
  const finishReason = typeof finish_reason === "string" ? finish_reason : undefined;
  const stopReason = readFinishReason(finishReason ?? "stop", read.stopReason === "toolUse");
  const message: AssistantMessage = {
    ...answerHeader(origin, API),
    content: [
      ...read.content,
      ...(Array.isArray(images) ? images.filter(isObject).map(readAnswerImage) : []),
    ],
    stopReason,
    ...(stopReason === "error" ? { errorMessage: describeFailure(finishReason ?? "") } : {}),
  };
  const notes = new AnswerNotes(message, origin);
  notes.noteResponse({ id, model, created, usage, x_groq });
  for (const other of others) notes.noteOtherChoice(other);
  notes.apply(finishReason);
  return withNotes(message, notesOf(read));
}

/** Notes where the answer differs from the one that we would write. */
function noteSpelling(message: AssistantMessage, body: JsonObject, choice: JsonObject): AssistantMessage {
  const { response: _, choice: __, ...notes } = notesOf(message);
  const plain = { ...message, ext: { ...message.ext, [NAME]: notes } };
  const { choices, ...written } = response(plain);
  const [writtenChoice]: unknown[] = Array.isArray(choices) ? choices : [];
  // A failed answer is written as an error, so there is no choice to compare with.
  if (!isObject(writtenChoice)) return message;
  const { choices: ___, ...head } = body;
  const [ofHead, ofChoice] = [deviation(head, written), deviation(choice, writtenChoice)];
  return withNotes(plain, {
    ...(Object.keys(ofHead).length > 0 ? { response: ofHead } : {}),
    ...(Object.keys(ofChoice).length > 0 ? { choice: ofChoice } : {}),
  });
}

/** The body of an unstreamed answer; a failed answer is an error body without content. */
export function response(message: AssistantMessage): JsonObject {
  const finishReason = finishReasonOf(message);
  if (finishReason === undefined) return writeError(message);
  const notes = notesOf(message);
  const usage = usageOf(message);
  const head = {
    ...headOf(message),
    object: "chat.completion",
    ...(usage === undefined ? {} : { usage }),
  };
  const choice = { index: 0, message: writeAnswer(message), logprobs: null, finish_reason: finishReason };
  const others = Array.isArray(notes["choices"]) ? notes["choices"] : [];
  return {
    ...restoreNoted(head, notes["response"]),
    choices: [restoreNoted(choice, notes["choice"]), ...others],
  };
}

function writeAnswer(message: AssistantMessage): JsonObject {
  const images = message.content.flatMap((block): ImagePart[] =>
    block.type === "image" ? [{ type: "image_url", image_url: { url: addressOf(block) } }] : [],
  );
  return {
    refusal: null,
    ...writeMessage(message, {
      model: message.model,
      flags: {},
      offers: () => true,
      report: () => undefined,
    }),
    ...(images.length > 0 ? { images } : {}),
  };
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The fields shared by the answer and each of its chunks. */
export function headOf(message: AssistantMessage): Pick<Chunk, "id" | "created" | "model"> {
  const { id } = notesOf(message);
  return {
    id: typeof id === "string" ? id : (message.id ?? `chatcmpl-${message.timestamp}`),
    created: Math.floor(message.timestamp / 1000),
    model: message.model,
  };
}

/** Undefined for a failed answer, unless the API has a finish reason for the failure. */
export function finishReasonOf(message: AssistantMessage): FinishReason | undefined {
  const { finishReason } = notesOf(message);
  return finishReason === "content_filter" ? finishReason : writeFinishReason(message.stopReason);
}

/** Undefined if the usage is unknown. */
export function usageOf(message: AssistantMessage): JsonObject | undefined {
  if (isSynthesised(message, "/usage")) return undefined;
  const notes = objectOr(notesOf(message)["usage"]);
  return restoreNoted(writeUsage(message.usage, notes["reasoningTokens"]), notes);
}

/** The original error body if its message is unchanged, otherwise a new one. */
export function writeError(failed: AssistantMessage): JsonObject {
  const { errorMessage, stopReason } = failed;
  const original = restoreNoted({}, notesOf(failed)["response"]);
  if (errorMessage !== undefined && failureOf(original) === errorMessage) return original;
  const message = errorMessage ?? `the answer ended in "${stopReason}"`;
  return { error: { message, type: "server_error", param: null, code: null } };
}
