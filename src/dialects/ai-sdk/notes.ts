import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext["ai-sdk"]` of the first message of a record:
 *
 *   fields     {…}          fields besides role and content, such as `providerOptions`
 *   string     true         an answer's content was a string
 *   empty      true         a user message had no parts
 *   apart      true         a tool message follows another one
 *
 * of a tool result:
 *
 *   inline     2            it was in the answer itself, at this index
 *   form       "content"    the output was a list, although a text would do; "denied": the execution was denied
 *   part       {…}          how its part differs from ours
 *
 * and of a block:
 *
 *   fields, absent, inside  how its part differs from ours
 *   dataUrl    true         the bytes were in a data URL
 *   image      true         an image was an `image` part
 */
export const { notesOf, extWith, addNotes } = ownNotes(NAME);
