import type { JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/neutral.js";
import type { ToolResultMessage, UserContent } from "../../core/types.js";
import { decodeResultBlock, encodeResultBlock, isPlainText, opaque, requireString } from "./blocks.js";
import { marksOf, noted, withFields } from "./marks.js";

/** The tools that were called in a turn, by the id of the call. */
export type ToolNames = Map<string, string>;

/** What the record says about the message that is made of this block. */
interface Frame {
  id?: string;
  marks: JsonObject;
  synthesised: readonly string[];
  timestamp: number;
}

/** A `tool_result` block as a message. The name of the tool is that of the call; the contract does not repeat it. */
export function decodeResult(
  block: JsonObject,
  at: string,
  names: ToolNames,
  frame: Frame,
): ToolResultMessage {
  const { type: _, tool_use_id, content, is_error, name, ...rest } = block;
  const toolCallId = requireString(tool_use_id, `${at}/tool_use_id`);
  const toolName = names.get(toolCallId) ?? (typeof name === "string" ? name : undefined);
  const named = name !== undefined && name === toolName;
  if (name !== undefined && !named) rest["name"] = name;
  if (is_error !== undefined && typeof is_error !== "boolean") rest["is_error"] = is_error;
  const { blocks, form } = decodeContent(content, `${at}/content`);
  return {
    role: "toolResult",
    ...(frame.id === undefined ? {} : { id: frame.id }),
    toolCallId,
    toolName: toolName ?? "",
    content: blocks,
    isError: is_error === true,
    timestamp: frame.timestamp,
    ...noted({ ...frame.marks, ...(named ? { named } : {}), form, result: rest }, [
      ...(toolName === undefined ? ["/toolName"] : []),
      ...(content === undefined ? ["/content"] : []),
      ...(typeof is_error === "boolean" ? [] : ["/isError"]),
      ...frame.synthesised,
    ]),
  };
}

function decodeContent(content: unknown, at: string): { blocks: UserContent[]; form?: "blocks" | "value" } {
  if (content === undefined) return { blocks: [] };
  if (typeof content === "string") return { blocks: [{ type: "text", text: content }] };
  if (!Array.isArray(content)) return { blocks: [opaque(content)], form: "value" };
  const blocks = content.map((block, index) => decodeResultBlock(block, `${at}/${index}`));
  return blocks.length === 1 && isPlainText(blocks[0]) ? { blocks, form: "blocks" } : { blocks };
}

/** The message as a `tool_result` block. */
export function encodeResult(message: ToolResultMessage): JsonObject {
  const marks = marksOf(message.ext);
  const content = encodeContent(message, marks["form"]);
  const own: JsonObject = { type: "tool_result", tool_use_id: message.toolCallId };
  if (marks["named"] === true) own["name"] = message.toolName;
  if (content !== undefined) own["content"] = content;
  if (message.isError || !isSynthesised(message, "/isError")) own["is_error"] = message.isError;
  return withFields(own, marks["result"]);
}

function encodeContent(message: ToolResultMessage, form: unknown): unknown {
  const [first, ...others] = message.content;
  if (first === undefined) return isSynthesised(message, "/content") ? undefined : [];
  if (others.length === 0 && form !== "blocks" && isPlainText(first)) return first.text;
  if (others.length === 0 && form === "value" && first.type === "opaque" && first.dialect === "cline") {
    if (typeof first.value !== "string" && !Array.isArray(first.value)) return first.value;
  }
  return message.content.flatMap(encodeResultBlock);
}
