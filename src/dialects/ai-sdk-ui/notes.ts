import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext["ai-sdk-ui"]` of the first message of a record:
 *
 *   absent     ["id"]       fields that were missing or of another type
 *   fields     {…}          fields that UI messages do not have
 *   metadata   {…}          the application's other metadata
 *   isoTime    true         `metadata.createdAt` was an ISO 8601 string
 *   empty      true         a user or system message had no parts
 *   apart      true         an assistant message follows another one
 *   version4   {…}          how AI SDK 4 wrote it, see `version-4.ts`
 *
 * of an answer:
 *
 *   steps      2            the number of `step-start` parts before it, if not 1
 *   trailing   1            the number of `step-start` parts after the last answer of a record
 *
 * of a tool result:
 *
 *   call       2            the index of its call, if the answer repeats the call id
 *   form       "content"    the output was an MCP result, although a string would do
 *
 * and of a block:
 *
 *   fields, absent, inside  how its part differs from ours; for a call, its tool part
 *   static     true         the part's type states the tool's name
 *   kept       true         a file part had a relative URL, which is written only for this reason
 */
export const { notesOf, extWith, addNotes } = ownNotes(NAME);
