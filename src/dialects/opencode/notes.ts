import { isEmpty, isObject, type JsonObject } from "../../core/json/value.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/**
 * `ext.opencode` contains how a record, without its parts, differs from the one we would write (`fields`, `absent`,
 * `inside`), and
 *
 * - `parts`: parts that are not in the conversation, each with its place: `[[0, {…}]]`;
 * - `cwd`: the folder of a session;
 * - `updated`: when the session was last changed; null if the document does not state it;
 * - `part`, `answer`: on a compaction, the same for its compaction part, and for the answer with the summary.
 *
 * The notes on a block are how its part differs; those on a call include its result, or `open`: its state, if it has no
 * result and is not just pending.
 */
export const { notesOf, extWith } = ownNotes(NAME);

/** A part that is not in the conversation, and its place among all parts. */
export interface KeptPart {
  place: number;
  part: JsonObject;
}

export function keptNotes(kept: readonly KeptPart[]): JsonObject {
  return kept.length === 0 ? {} : { parts: kept.map(({ place, part }) => [place, part]) };
}

export function keptIn({ parts }: JsonObject): KeptPart[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((entry: unknown) => {
    const [place, part]: unknown[] = Array.isArray(entry) ? entry : [];
    return typeof place === "number" && isObject(part) ? [{ place, part }] : [];
  });
}

/** `{ [key]: notes }`, or nothing if there are none. */
export function nested(key: string, notes: JsonObject): JsonObject {
  return isEmpty(notes) ? {} : { [key]: notes };
}

export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
