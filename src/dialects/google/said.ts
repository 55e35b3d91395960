import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import { noted, within } from "./notes.js";

/** What Google said about an answer beside the answer, kept on the message. */
export interface Said {
  /** Fields of the response: `responseId`, `createTime`, `modelVersion` where it is not the model asked for. */
  response?: JsonObject;
  /** Fields of the candidate: `groundingMetadata`, `safetyRatings`, `finishMessage`. */
  candidate?: JsonObject;
  /** Counts beyond our own. */
  usage?: JsonObject;
  /** Where our stop reason does not tell it. */
  finishReason?: string;
  promptFeedback?: JsonObject;
  /** Status and code of the error that ended the stream. */
  error?: JsonObject;
  /** Answers beside the first. */
  others?: JsonObject[];
}

export function saidOf({
  ext,
}: AssistantMessage): Required<Pick<Said, "response" | "candidate" | "usage">> & Said {
  const { finishReason, promptFeedback, error, others, ...notes } = noted(ext);
  return {
    response: within(notes, "response"),
    candidate: within(notes, "candidate"),
    usage: within(notes, "usage"),
    ...(typeof finishReason === "string" ? { finishReason } : {}),
    ...(isObject(promptFeedback) ? { promptFeedback } : {}),
    ...(isObject(error) ? { error } : {}),
    ...(Array.isArray(others) ? { others: others.filter(isObject) } : {}),
  };
}

/** Adds fields of a later piece: lists grow, unless the same one comes again, and of the rest the later one counts. */
export function mergeFields(target: JsonObject, fields: JsonObject): void {
  for (const [key, value] of Object.entries(fields)) {
    const known = target[key];
    if (Array.isArray(known) && Array.isArray(value)) {
      const same = known.length === value.length && JSON.stringify(known) === JSON.stringify(value);
      if (!same) target[key] = [...known, ...value];
    } else if (isObject(known) && isObject(value)) {
      const copy = { ...known };
      mergeFields(copy, value);
      target[key] = copy;
    } else target[key] = value;
  }
}
