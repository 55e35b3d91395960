import { ownNotes } from "../../core/records/own-notes.js";
import { NAME } from "./wire.js";

/*
 * What is kept under `ext.cline`, always a deviation from what `encode` would write by itself:
 *
 *   absent      ["id"]       fields of the contract that were not there, or not of their type
 *   fields      {…}          fields that the model has no word for, as they were
 *   string      true         the content was a string
 *   timed       true         a user message had a `ts`
 *   merged      true         a user message that stood in one record with the tool results before it …
 *   places      [0]          … and where its blocks stood, unless after all results
 *   apart       true         a tool result that began a record of its own
 *   form        "blocks"     one text as content of a tool result stood in an array; "value": it was any other JSON value
 *   named       true         a tool result said the name of its tool
 *   result      {…}          like `fields`, for the tool_result block
 *   closes      true         an assistant message that has metrics though it is not the last of its turn
 *   cacheApart  true         `inputTokens` does not include the cached tokens
 *   metrics, modelInfo, family, agent, taskType, updatedAt: what else stood there
 *
 * and on a block: `fields`, `extra` (a block outside the contract), `input` (of a call, when it is not an object), `json`
 * (a text that was a JSON value among the blocks of a tool result).
 */
export const { notesOf, extWith } = ownNotes(NAME);
