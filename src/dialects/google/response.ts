import type { Origin } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import { answerNotesOf } from "./answer-notes.js";
import { writeParts } from "./parts.js";
import { writeEnding } from "./stop-reason.js";
import { GoogleReader } from "./stream-reader.js";
import { writeUsage } from "./usage.js";
import type { GenerateContentResponse } from "./wire.js";

/** The answer in a response of `generateContent`. A blocked prompt gives a failed answer. */
export function readResponse(body: unknown, origin: Origin): AssistantMessage {
  if (isObject(body) && !ANSWERS.some((field) => Object.hasOwn(body, field))) {
    throw new DragomanError("provider/bad-response", "expected a response with candidates");
  }
  const reader = new GoogleReader(origin);
  reader.push(body);
  reader.finish();
  return reader.message;
}

/** A response has at least one of these. */
const ANSWERS = ["candidates", "promptFeedback", "error"];

/** An answer as a response. */
export function response(message: AssistantMessage): JsonObject {
  return writeLastPayload(message, writeParts(message.content, true));
}

/** The last payload of an answer: the remaining parts, the finish reason, the usage and other metadata. */
export function writeLastPayload(message: AssistantMessage, parts: readonly JsonObject[]): JsonObject {
  const {
    response: further,
    candidate,
    usage,
    finishReason,
    promptFeedback,
    error,
    others,
  } = answerNotesOf(message);
  const { stopReason, errorMessage } = message;
  const failed = stopReason === "error" || stopReason === "aborted";
  const about = {
    usageMetadata: writeUsage(message.usage, usage),
    modelVersion: message.model,
    ...further,
  } satisfies GenerateContentResponse;
  if (promptFeedback !== undefined && failed) return { promptFeedback, ...about };
  if (failed && finishReason === undefined) {
    return {
      ...withParts(message, parts),
      error: { ...failureFields(stopReason), ...error, message: errorMessage ?? "" },
    };
  }
  const first = {
    content: { role: "model" as const, parts },
    finishReason: finishReason ?? writeEnding(stopReason),
    index: 0,
  };
  return {
    candidates: [{ ...candidate, ...first }, ...(others ?? [])],
    ...(promptFeedback === undefined ? {} : { promptFeedback }),
    ...about,
  };
}

/** A payload with a piece of an answer. */
export function writePiece({ model }: AssistantMessage, parts: readonly JsonObject[]): JsonObject {
  const candidate = { content: { role: "model", parts }, index: 0 };
  return { candidates: [candidate], modelVersion: model };
}

function withParts(message: AssistantMessage, parts: readonly JsonObject[]): JsonObject {
  return parts.length === 0 ? {} : writePiece(message, parts);
}

function failureFields(reason: "error" | "aborted"): JsonObject {
  return reason === "aborted" ? { code: 499, status: "CANCELLED" } : { code: 500, status: "INTERNAL" };
}
