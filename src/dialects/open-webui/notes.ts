import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext.open-webui` contains the deviation (`deviation.ts`) of a record, or of the chat, from what `encode` writes, on its
 * first message, and
 *
 *   record   {"key":"…"}   fields of the record beside the message: see `wire.ts`
 *   starts   true          a tool result that is the first message of its record
 *   ends     true          a tool result that is the last message of its record
 *   item     {"fields":{…}}  the deviation of a tool result's item
 *
 * and on a block: the deviation of its item or file.
 */
export const { notesOf, extWith } = ownNotes(NAME);
