import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext.otel` contains how a message or a part differs from the one we would write (`fields`, `absent`, `inside`, `ours`).
 * Also, on messages:
 *
 *   merged     true    it is part of the same wire message as the one before it
 *   output     true    it is in the output, although it is not the last answer
 *   input      true    it is in the input, although it is the last answer
 *   noReason   true    an answer in the output does not state why it ended
 *   response   {…}     how the part of a tool's result differs
 *   form       "json"  a result's only text was a JSON value; "parts": it was in a list
 *
 * and on the first message of the document:
 *
 *   document   {…}     how the attributes differ
 *   span       {…}     the fields of the span that has the attributes
 *   bare       true    the document is a list of messages
 *   texts      {…}     the lists that were texts, and their spelling (`list-text.ts`)
 *   empty      [key]   lists without members
 */
export const { notesOf, extWith, addNotes } = ownNotes(NAME);
