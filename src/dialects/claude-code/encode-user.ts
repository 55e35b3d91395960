import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import { onlyText } from "../../core/message/only-text.js";
import { restore } from "../../core/records/deviation.js";
import type { ToolResultMessage, UserMessage } from "../../core/types.js";
import { callId, writeBlocks, writeUserBlock } from "./blocks.js";
import { framed, frameOf } from "./frame.js";
import { notesOf } from "./notes.js";

/** A message on a `user` line. One line can have several. */
export type UserPart = UserMessage | ToolResultMessage;

/** The line for these messages, as we write it; undefined if nothing of them can be written. `last` is the line before. */
export function userLine(parts: readonly UserPart[], last: JsonRecord): JsonRecord | undefined {
  const first = parts[0];
  const own = parts[parts.length - 1];
  if (first === undefined || own === undefined) return undefined;
  const frame = frameOf(own === first ? own : { ...own, ...parentOf(first) }, last);
  const content =
    parts.length === 1 && first.role === "user" && typeof first.content === "string"
      ? first.content
      : blocksOf(parts);
  if (content.length === 0 && first.role === "user" && first.content.length > 0) return undefined;
  const result = onlyResult(parts);
  const isOwn = result?.details !== undefined && notesOf(result)["own"] === true;
  const line = framed(frame, { type: "user", message: { role: "user", content } });
  if (isOwn) line["toolUseResult"] = result.details;
  return line;
}

/** The result on a line, if there is exactly one. */
export function onlyResult(parts: readonly UserPart[]): ToolResultMessage | undefined {
  let only: ToolResultMessage | undefined;
  for (const part of parts) {
    if (part.role !== "toolResult") continue;
    if (only !== undefined) return undefined;
    only = part;
  }
  return only;
}

/** The first message on a line has the line's parent, and the last one its id. */
function parentOf({ parentId }: UserPart): { parentId?: string | null } {
  return parentId === undefined ? {} : { parentId };
}

function blocksOf(parts: readonly UserPart[]): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const part of parts) {
    if (part.role === "toolResult") blocks.push(restore(plainResult(part), notesOf(part)["block"]));
    else if (typeof part.content === "string") blocks.push({ type: "text", text: part.content });
    else for (const block of writeBlocks(part.content, writeUserBlock)) blocks.push(block);
  }
  return blocks;
}

/** A `tool_result` block as we write it. */
export function plainResult(message: ToolResultMessage): JsonObject {
  const block: JsonObject = {
    tool_use_id: callId(message.toolCallId),
    type: "tool_result",
    content: resultContent(message, notesOf(message)),
  };
  if (message.isError) block["is_error"] = true;
  return block;
}

function resultContent({ content }: ToolResultMessage, notes: JsonObject): unknown {
  const text = onlyText(content);
  return text !== undefined && notes["form"] !== "blocks" ? text : writeBlocks(content, writeUserBlock);
}
