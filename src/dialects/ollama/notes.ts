import { isObject, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

export const { notesOf, addNotes, withNotes } = ownNotes(NAME);

/** A field that we would write in yet another way by now has been changed since, so it is left alone. */
export const GUARDED = { guarded: true } as const;

/** What they wrote where we write `ours`. */
export function restoreForm(ours: JsonObject, noted: unknown): JsonObject {
  return restore(ours, isObject(noted) ? withFields(noted) : undefined);
}

/** Logs have notes that say of each field what either side wrote: `{"ours":{"content":""},"theirs":{"x":1}}`. */
function withFields(noted: JsonObject): JsonObject {
  if (noted["fields"] !== undefined || noted["absent"] !== undefined) return noted;
  const ours = isObject(noted["ours"]) ? noted["ours"] : {};
  const fields = isObject(noted["theirs"]) ? noted["theirs"] : {};
  return { ours, fields, absent: Object.keys(ours).filter((key) => !Object.hasOwn(fields, key)) };
}
