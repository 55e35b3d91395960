import type { JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { isToolResult, type ToolResult } from "./foreign-shapes.js";
import { hasType } from "./wire.js";

/** `{role: "tool", tool_call_id, name?, content}` */
export function mendTool(record: JsonRecord, changes: string[]): JsonRecord {
  const { role: _, tool_call_id: id, name, content, ...others } = record;
  if (!isString(id) || "toolCallId" in record || !isResultContent(content)) return record;
  changes.push(`The tool message for ${JSON.stringify(id)} became a toolResult message.`);
  const isNamed = isString(name) && !("toolName" in record);
  const named = isNamed ? { toolName: name } : name === undefined ? {} : { name };
  return completeResult({ role: "toolResult", toolCallId: id, ...named, content, ...others }, id, changes);
}

/** The call id may be missing: the conversation shows which call it is, and the other fields can be mended anyway. */
export function mendToolResult(record: JsonRecord, changes: string[]): JsonRecord {
  const { toolCallId: id, content } = record;
  if ((id !== undefined && !isString(id)) || !isResultContent(content)) return record;
  return completeResult(record, id, changes);
}

/** Each result becomes its own message; the user's other blocks follow in another message. */
export function mendUser(record: JsonRecord, changes: string[]): JsonRecord[] {
  const { role, content, ...others } = record;
  if (!Array.isArray(content)) return [record];
  const blocks: unknown[] = content;
  const results = blocks.filter(isMendable).map((block) => resultOf(block, changes));
  if (results.length === 0) return [record];
  const rest = blocks.filter((block) => !isMendable(block));
  if (rest.length > 0) return [...results, { role, content: rest, ...others }];
  for (const key of Object.keys(others)) {
    changes.push(`The ${key} of the user message was removed: nothing else is left of that message.`);
  }
  return results;
}

function isMendable(block: unknown): block is ToolResult {
  return isToolResult(block) && isResultContent(block["content"]);
}

function resultOf(block: ToolResult, changes: string[]): JsonRecord {
  const { type: _, tool_use_id: id, content, is_error: failed, ...others } = block;
  changes.push(`The tool_result block for ${JSON.stringify(id)} became a toolResult message.`);
  const isError = typeof failed === "boolean" ? { isError: failed } : {};
  return completeResult({ role: "toolResult", toolCallId: id, content, ...isError, ...others }, id, changes);
}

function isResultContent(content: unknown): boolean {
  return content === undefined || content === null || isString(content) || Array.isArray(content);
}

/** Fills in a missing tool name, error flag or content, and records each as a change. */
function completeResult(record: JsonRecord, id: string | undefined, changes: string[]): JsonRecord {
  const { role, toolCallId: _, toolName = "", content, isError = false, ...others } = record;
  const of = id === undefined ? "of the result without an id" : `of the result for ${JSON.stringify(id)}`;
  const blocks = resultBlocks(content, of, changes);
  if (record["toolName"] === undefined) changes.push(`The toolName ${of} is unknown and was left empty.`);
  if (record["isError"] === undefined) changes.push(`The isError ${of} was missing; false was written.`);
  const named = id === undefined ? {} : { toolCallId: id };
  return { role, ...named, toolName, content: blocks, isError, ...others };
}

function resultBlocks(content: unknown, of: string, changes: string[]): unknown {
  if (isString(content)) {
    changes.push(`The text ${of} became a text block.`);
    return [{ type: "text", text: content }];
  }
  if (Array.isArray(content) && content.length > 0) {
    return content.map((block: unknown) => resultBlock(block, of, changes));
  }
  changes.push(`The content ${of} was empty; an empty text was written.`);
  return [{ type: "text", text: "" }];
}

/** Rewrites other formats' texts and images; anything else stays, and `check` reports it. */
function resultBlock(block: unknown, of: string, changes: string[]): unknown {
  if (isString(block)) {
    changes.push(`A text ${of} became a text block.`);
    return { type: "text", text: block };
  }
  const image = imageOf(block);
  if (image !== undefined) changes.push(`An image ${of} was rewritten as data and mimeType.`);
  return image ?? block;
}

/** `{type: "image", source: {type: "base64", media_type, data}}` */
function imageOf(block: unknown): JsonRecord | undefined {
  if (!hasType(block, "image") || "data" in block || "mimeType" in block) return undefined;
  const { source, ...others } = block;
  if (!isObject(source) || source["type"] !== "base64") return undefined;
  const { media_type: mimeType, data } = source;
  return isString(mimeType) && isString(data) ? { ...others, data, mimeType } : undefined;
}
