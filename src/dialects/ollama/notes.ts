import { isObject, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

export const { notesOf, addNotes, withNotes } = ownNotes(NAME);

/** Applies a note only if we would still write the same value as when it was noted. */
export const GUARDED = { guarded: true } as const;

/** Applies the notes on how an object was written. */
export function restoreForm(ours: JsonObject, noted: unknown): JsonObject {
  return restore(ours, isObject(noted) ? withFields(noted) : undefined);
}

/** Reads the older form of notes in stored logs: `{"ours":{"content":""},"theirs":{"x":1}}`. */
function withFields(noted: JsonObject): JsonObject {
  if (noted["fields"] !== undefined || noted["absent"] !== undefined) return noted;
  const ours = isObject(noted["ours"]) ? noted["ours"] : {};
  const fields = isObject(noted["theirs"]) ? noted["theirs"] : {};
  return { ours, fields, absent: Object.keys(ours).filter((key) => !Object.hasOwn(fields, key)) };
}
