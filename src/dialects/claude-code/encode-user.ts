import type { JsonRecord } from "../../core/dialect.js";
import type { JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type { ToolResultMessage, UserContent, UserMessage } from "../../core/types.js";
import { callId, writeBlocks, writeUserBlock } from "./blocks.js";
import { framed, frameOf } from "./frame.js";
import { notesOf } from "./notes.js";

/** A message on a `user` line. One line can have several. */
export type UserPart = UserMessage | ToolResultMessage;

/** The line for these messages, as we write it; undefined if nothing of them can be written. `last` is the line before. */
export function userLine(parts: readonly UserPart[], last: JsonRecord): JsonRecord | undefined {
  const [first] = parts;
  const own = parts.at(-1);
  if (first === undefined || own === undefined) return undefined;
  const frame = frameOf(own === first ? own : { ...own, ...parentOf(first) }, last);
  const content =
    parts.length === 1 && first.role === "user" && typeof first.content === "string"
      ? first.content
      : parts.flatMap(blocksOf);
  if (content.length === 0 && first.role === "user" && first.content.length > 0) return undefined;
  const results = parts.filter((part) => part.role === "toolResult");
  const [result] = results.length === 1 ? results : [];
  const isOwn = result?.details !== undefined && notesOf(result)["own"] === true;
  const line = framed(frame, { type: "user", message: { role: "user", content } });
  if (isOwn) line["toolUseResult"] = result.details;
  return line;
}

/** The first message on a line has the line's parent, and the last one its id. */
function parentOf({ parentId }: UserPart): { parentId?: string | null } {
  return parentId === undefined ? {} : { parentId };
}

function blocksOf(part: UserPart): JsonObject[] {
  if (part.role === "toolResult") return [restore(plainResult(part), notesOf(part)["block"])];
  if (typeof part.content === "string") return [{ type: "text", text: part.content }];
  return writeBlocks(part.content, writeUserBlock);
}

/** A `tool_result` block as we write it. */
export function plainResult(message: ToolResultMessage): JsonObject {
  return {
    tool_use_id: callId(message.toolCallId),
    type: "tool_result",
    content: resultContent(message, notesOf(message)),
    ...(message.isError ? { is_error: true } : {}),
  };
}

function resultContent({ content }: ToolResultMessage, notes: JsonObject): unknown {
  const [first, ...others] = content;
  const isText = others.length === 0 && first !== undefined && isPlainText(first);
  if (isText && notes["form"] !== "blocks") return first.text;
  return writeBlocks(content, writeUserBlock);
}

export function isPlainText(block: UserContent): block is UserContent & { type: "text" } {
  return block.type === "text" && block.ext === undefined;
}
