import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext.chatgpt` contains the deviation (`deviation.ts`) of a node, or of the conversation, from what `encode` writes, and
 *
 *   record   {"key":"…"}    fields of the record beside the node: see `wire.ts`
 *
 * and on a block: `fields`, the part's other fields, and `part`, the type of a part that is read as a text.
 */
export const { notesOf, extWith } = ownNotes(NAME);
