import { isObject, type JsonObject } from "../../core/json/value.js";
import { contentParts } from "../../core/records/content-parts.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/**
 * `ext["gemini-cli"]` contains how the line of a message differs from the one we would write (`fields`, `absent`, `inside`),
 * and
 *
 * - `lines`: the other lines of its unit, in order: `version`, an earlier or later form of the message; `set`, a change of the
 *   header; `echo`, the copy of the results, and `of`, their places among the results unless it has all of them;
 * - `main`: the number of these lines that come first;
 * - `form`: thinking and calls of an answer are beside its content;
 * - `shape`: the content is a list or a single part, or a result is a text or a list of `parts`, and we would write another
 *   form;
 * - `document`: the session is one document;
 * - `line`: a result is on a line of its own, and not in the record of its call;
 * - `merged`: a result is on the same line as the one before it;
 * - `stored`: a result is in the record of a call that the content does not have, and how that record differs;
 * - `json`, `nested`, `response`: how a `functionResponse` was written (`content-parts.ts`);
 * - `carried`: the message is carried in a line of ours, and we would write another line;
 * - on calls: `record`, how the record of the call differs; on thinking: `thought`, how the summary differs.
 */
export const { notesOf, extWith, addNotes, othersIn } = ownNotes(NAME);

export const { readAnswerPart, readUserPart, writeParts, readResponse, writeResponse } = contentParts(NAME);

/** A line beside the main one. */
export type OtherLine = { version: JsonObject } | { set: JsonObject } | { echo: JsonObject; of?: number[] };

export function otherLines({ lines }: JsonObject): JsonObject[] {
  return Array.isArray(lines) ? lines.filter(isObject) : [];
}
