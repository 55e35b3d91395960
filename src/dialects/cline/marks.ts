import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Ext } from "../../core/types.js";

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
export function marksOf(ext: Ext | undefined): JsonObject {
  const marks = ext?.["cline"];
  return isObject(marks) ? marks : {};
}

/** The `ext` of a message or block with these marks; nothing when there is nothing to say. */
export function noted(marks: JsonObject, synthesised: readonly string[] = []): { ext?: Ext } {
  const said = withoutEmpty(marks);
  const ext: Ext = {
    ...(synthesised.length > 0 ? { synthesised: [...synthesised] } : {}),
    ...(Object.keys(said).length > 0 ? { cline: said } : {}),
  };
  return Object.keys(ext).length > 0 ? { ext } : {};
}

const leftovers = new Set(["absent", "fields", "result"]);

/** Leaves out what is undefined, and leftovers when there are none. */
function withoutEmpty(marks: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(marks).filter(([key, value]) => {
      if (value === undefined) return false;
      return !leftovers.has(key) || typeof value !== "object" || Object.keys(value ?? {}).length > 0;
    }),
  );
}

export function isAbsent(marks: JsonObject, field: string): boolean {
  return Array.isArray(marks["absent"]) && marks["absent"].includes(field);
}

/** Adds leftovers to a record or block; its own fields stay as they are, and come first. */
export function withFields(own: JsonObject, fields: unknown): JsonObject {
  return isObject(fields) ? { ...own, ...fields, ...own } : own;
}
