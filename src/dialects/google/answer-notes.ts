import { isObject, type JsonObject, setOwn } from "../../core/json/value.js";
import type { AssistantMessage } from "../../core/types.js";
import { notesOf, within } from "./notes.js";

/** What Google said about an answer beside the answer, kept on the message. */
export interface AnswerNotes {
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
 * Fields that come with the pieces of an answer, together. Lists grow, as those of citations do; a field that is as it
 * was in the piece before, as ratings often are, is said once; of other values the later one counts.
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
  // Its own alone: what every object inherits would be changed for all of them.
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
