import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext.claude-ai` contains the deviation (`deviation.ts`) of a message, or of the conversation, from what `encode` writes,
 * and
 *
 *   record   {"isMember":true}   fields of the header record: see `wire.ts`
 *   part     true                the message continues the record of the one before it
 *   result   {"fields":{…}}      the deviation of a `tool_result` block
 *
 * and on a block: `fields`, its other fields.
 */
export const { notesOf, extWith } = ownNotes(NAME);
