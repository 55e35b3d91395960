import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext.atif` contains how a record differs from the one we would write (`fields`, `absent`, `inside`, `ours`): of a header
 * on the session, of a step on its first message, of a tool call or a content part on its block. Also:
 *
 *   result   {…}     the same for the entry of an observation, on the message read from it
 *   joined   true    the message is part of the step before it, although it answers none of its calls
 *   apart    true    a result is in a step of its own, although the step before it has its call
 *   parts    true    a text alone was in a list of parts
 *   unnumbered true  the step has no number
 *   ahead    true    the record has keys that the file's version does not have
 */
export const { notesOf, extWith, addNotes } = ownNotes(NAME);
