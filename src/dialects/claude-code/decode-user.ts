import type { JsonRecord } from "../../core/dialect.js";
import { isBoolean, isEmpty, isObject, type JsonObject } from "../../core/json/value.js";
import { onlyText } from "../../core/message/only-text.js";
import { differencesOf } from "../../core/records/differences.js";
import type { ToolResultMessage, UserContent, UserMessage } from "../../core/types.js";
import { blocksIn, readUserBlock } from "./blocks.js";
import type { UnitLine } from "./decode-answer.js";
import { onlyResult, plainResult, type UserPart, userLine } from "./encode-user.js";
import { timeOf } from "./frame.js";
import { addNotes, extWith, lineNotes } from "./notes.js";
import { isResult } from "./wire.js";

/**
 * The messages of a `user` line: each result, and what the user wrote between them. Without `last`, the line before, it is
 * not noted how the line was written.
 */
export function readUser(
  { record, index }: UnitLine,
  parentId: string | null | undefined,
  last: JsonRecord | undefined,
): UserPart[] {
  const inner = isObject(record["message"]) ? record["message"] : {};
  const time = timeOf(record);
  const base = { timestamp: time ?? 0 };
  const synthesised = time === undefined ? ["/timestamp"] : [];
  const parts = readParts(inner["content"], `/${index}/message/content`, base, synthesised);
  const result = onlyResult(parts);
  if (result !== undefined && record["toolUseResult"] !== undefined) {
    result.details = record["toolUseResult"];
    addNotes(result, { own: true });
  }
  linkParts(parts, record, parentId);
  const first = parts[0];
  if (first === undefined || last === undefined) return parts;
  const ours = userLine(parts, last) ?? {};
  addNotes(first, lineNotes(record, ours, first));
  return parts;
}

/** Gives each message an id; the last one has the line's, because what follows names it. */
export function linkParts(
  parts: UserPart[],
  { uuid }: JsonRecord,
  parentId: string | null | undefined,
): void {
  let before = parentId;
  let index = 0;
  for (const part of parts) {
    const isLast = index === parts.length - 1;
    if (typeof uuid === "string") part.id = isLast ? uuid : `${uuid}#${index}`;
    if (before !== undefined) part.parentId = before;
    if (index > 0) addNotes(part, { merged: true });
    before = part.id ?? before;
    index++;
  }
}

interface Base {
  timestamp: number;
}

function readParts(content: unknown, at: string, base: Base, synthesised: readonly string[]): UserPart[] {
  if (typeof content === "string") return [user(content, base, synthesised)];
  const parts: UserPart[] = [];
  let blocks: UserContent[] | undefined;
  for (const wire of blocksIn(content, at)) {
    if (isResult(wire)) {
      if (blocks !== undefined) parts.push(user(blocks, base, synthesised));
      blocks = undefined;
      parts.push(readResult(wire, base, synthesised));
    } else {
      blocks ??= [];
      blocks.push(readUserBlock(wire));
    }
  }
  if (blocks !== undefined || parts.length === 0) parts.push(user(blocks ?? [], base, synthesised));
  return parts;
}

function user(content: UserMessage["content"], base: Base, synthesised: readonly string[]): UserMessage {
  return { role: "user", content, ...base, ...extWith({}, synthesised) };
}

function readResult(wire: JsonObject, base: Base, synthesised: readonly string[]): ToolResultMessage {
  const { tool_use_id: toolCallId, is_error: isError, content } = wire;
  const blocks = resultBlocks(content);
  const isListed = Array.isArray(content) && onlyText(blocks) !== undefined;
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: String(toolCallId),
    toolName: "",
    content: blocks,
    isError: isBoolean(isError) ? isError : false,
    ...base,
    ...extWith(isListed ? { form: "blocks" } : {}, ["/toolName", ...synthesised]),
  };
  const block = differencesOf(wire, plainResult(message), true);
  if (!isEmpty(block)) addNotes(message, { block });
  return message;
}

/** Content that is neither text nor blocks is shown as JSON. */
function resultBlocks(content: unknown): UserContent[] {
  if (content === undefined) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content) || !content.every(isObject))
    return [{ type: "text", text: JSON.stringify(content) }];
  // Not `map`: arrays of a conversion have one kind (decision 410).
  const blocks: UserContent[] = [];
  for (const block of content) blocks.push(readUserBlock(block));
  return blocks;
}
