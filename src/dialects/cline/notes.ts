import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * `ext.cline` contains deviations from what `encode` writes by default:
 *
 *   absent      ["id"]       fields of the contract that were missing or of another type
 *   fields      {…}          fields that the model does not have
 *   string      true         the content was a string
 *   timed       true         a user message had a `ts`
 *   merged      true         a user message was in one record with the tool results before it …
 *   places      [0]          … and the places of its blocks, if not after all results
 *   apart       true         a tool result started its own record
 *   form        "blocks"     a tool result's only text was in an array; "value": the content was another JSON value
 *   named       true         a tool result named its tool
 *   result      {…}          like `fields`, for the tool_result block
 *   closes      true         an assistant message has metrics but is not the last of its turn
 *   cacheApart  true         `inputTokens` does not include the cached tokens
 *   metrics, modelInfo, family, agent, taskType, updatedAt: other original values
 *
 * and on a block: `fields`, `extra` (a block outside the contract), `input` (a call's input that is not an object), `json`
 * (a text that was a JSON value among a tool result's blocks).
 */
export const { notesOf, extWith } = ownNotes(NAME);
