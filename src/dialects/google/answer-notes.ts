import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import { notesOf, within } from "./notes.js";

/** Google's metadata about an answer, kept on the message. */
export interface AnswerNotes {
  /** Fields of the response: `responseId`, `createTime`, and `modelVersion` if it is not the requested model. */
  response?: JsonObject;
  /** Fields of the candidate: `groundingMetadata`, `safetyRatings`, `finishMessage`. */
  candidate?: JsonObject;
  /** Counts that our model does not have. */
  usage?: JsonObject;
  /** Present if it does not follow from our stop reason. */
  finishReason?: string;
  promptFeedback?: JsonObject;
  /** Status and code of the error that ended the stream. */
  error?: JsonObject;
  /** Candidates after the first. */
  others?: JsonObject[];
}

export function answerNotesOf(
  message: AssistantMessage,
): Required<Pick<AnswerNotes, "response" | "candidate" | "usage">> & AnswerNotes {
  const { finishReason, promptFeedback, error, others, ...notes } = notesOf(message);
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

/**
 * Merges the fields of an answer's chunks. Lists, such as citations, are joined; a field that is the same as in the chunk
 * before, as ratings often are, is ignored; other values are replaced.
 */
export class MergedFields {
  readonly fields: JsonObject = {};
  readonly #before = new Map<string, string>();

  add(fields: JsonObject): void {
    for (const [key, value] of Object.entries(fields)) {
      const text = JSON.stringify(value);
      if (this.#before.get(key) === text) continue;
      this.#before.set(key, text);
      merge(this.fields, key, value);
    }
  }
}

function merge(target: JsonObject, key: string, value: unknown): void {
  // Only an own property: an inherited one would be changed for every object.
  const known = Object.hasOwn(target, key) ? target[key] : undefined;
  if (Array.isArray(value)) {
    const list: unknown[] = Array.isArray(known) ? known : [];
    for (const one of value) list.push(one);
    setOwn(target, key, list);
  } else if (isObject(value)) {
    const inner = isObject(known) ? known : {};
    for (const [name, one] of Object.entries(value)) merge(inner, name, one);
    setOwn(target, key, inner);
  } else setOwn(target, key, value);
}
