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

/** The answer in a response of `generateContent`. What Google refused to answer is an answer that failed. */
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

/** The response that says an answer. */
export function response(message: AssistantMessage): JsonObject {
  return ending(message, writeParts(message.content, true));
}

/** What an answer ends with, after the parts that were sent before: the reason, the usage, and what belongs to the whole. */
export function ending(message: AssistantMessage, parts: readonly JsonObject[]): JsonObject {
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
      error: { ...failure(stopReason), ...error, message: errorMessage ?? "" },
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

/** A piece of an answer. */
export function piece({ model }: AssistantMessage, parts: readonly JsonObject[]): JsonObject {
  const candidate = { content: { role: "model", parts }, index: 0 };
  return { candidates: [candidate], modelVersion: model };
}

function withParts(message: AssistantMessage, parts: readonly JsonObject[]): JsonObject {
  return parts.length === 0 ? {} : piece(message, parts);
}

function failure(reason: "error" | "aborted"): JsonObject {
  return reason === "aborted" ? { code: 499, status: "CANCELLED" } : { code: 500, status: "INTERNAL" };
}
