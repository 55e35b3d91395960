import { ownNotes } from "../../core/records/own-notes.js";
import type { Ext } from "../../core/types.js";
import { NAME } from "./wire.js";

export const { notesOf, extWith, addNotes, withNotes } = ownNotes(NAME);

/** Notes one more of a list. */
export function appendNote(holder: { ext?: Ext }, key: string, value: unknown): void {
  const noted = notesOf(holder)[key];
  addNotes(holder, { [key]: [...(Array.isArray(noted) ? noted : []), value] });
}
