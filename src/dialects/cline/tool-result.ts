import { isEmpty, type JsonObject } from "../../core/json/value.js";
import { isAbsent, withFields } from "../../core/records/deviation.js";
import type { ToolResultMessage } from "../../core/types.js";
import { encodeResultBlock, isPlainText, jsonBlock, readResultBlock, requireString } from "./blocks.js";
import { extWith, notesOf } from "./notes.js";

/** The names of the tools called in a turn, by call id. */
export type ToolNames = Map<string, string>;

/** The record's fields for the message decoded from this block. */
interface Frame {
  id?: string;
  notes: JsonObject;
  synthesised: readonly string[];
  timestamp: number;
}

/** A `tool_result` block as a message. The tool name is the call's; the contract does not repeat it. */
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
  const { form, ...result } = decodeContent(content, `${at}/content`);
  const absent = [
    ...(Array.isArray(frame.notes["absent"]) ? frame.notes["absent"] : []),
    ...(content === undefined ? ["content"] : []),
    ...(typeof is_error === "boolean" ? [] : ["is_error"]),
  ];
  return {
    role: "toolResult",
    ...(frame.id === undefined ? {} : { id: frame.id }),
    toolCallId,
    toolName: toolName ?? "",
    ...result,
    isError: is_error === true,
    timestamp: frame.timestamp,
    ...extWith(
      { ...frame.notes, ...(named ? { named } : {}), form, absent, result: isEmpty(rest) ? undefined : rest },
      [
        ...(toolName === undefined ? ["/toolName"] : []),
        ...(content === undefined ? ["/content"] : []),
        ...(typeof is_error === "boolean" ? [] : ["/isError"]),
        ...frame.synthesised,
      ],
    ),
  };
}

interface ResultContent extends Pick<ToolResultMessage, "content" | "details"> {
  form?: "blocks" | "value";
}

/**
 * The contract allows any value as a result. A list's texts and images become blocks, and its other members text blocks
 * with their JSON. Any other value becomes one text block with its JSON, and the value itself goes into `details`.
 */
function decodeContent(content: unknown, at: string): ResultContent {
  if (content === undefined) return { content: [] };
  if (typeof content === "string") return { content: [{ type: "text", text: content }] };
  const read = Array.isArray(content)
    ? content.map((block: unknown, index) => ({ block, known: readResultBlock(block, `${at}/${index}`) }))
    : undefined;
  const isValue = read === undefined || (read.length > 0 && read.every(({ known }) => known === undefined));
  if (isValue) {
    return { content: [{ type: "text", text: JSON.stringify(content) }], details: content, form: "value" };
  }
  const blocks = read.map(({ block, known }) => known ?? jsonBlock(block));
  return blocks.length === 1 && isPlainText(blocks[0])
    ? { content: blocks, form: "blocks" }
    : { content: blocks };
}

export function encodeResult(message: ToolResultMessage): JsonObject {
  const notes = notesOf(message);
  const content = encodeContent(message, notes);
  const own: JsonObject = { type: "tool_result", tool_use_id: message.toolCallId };
  if (notes["named"] === true) own["name"] = message.toolName;
  if (content !== undefined) own["content"] = content;
  if (message.isError || !isAbsent(notes, "is_error")) own["is_error"] = message.isError;
  return withFields(own, notes["result"]);
}

function encodeContent(message: ToolResultMessage, notes: JsonObject): unknown {
  const { form } = notes;
  const [first, ...others] = message.content;
  if (first === undefined) return isAbsent(notes, "content") ? undefined : [];
  if (others.length === 0 && form !== "blocks" && isPlainText(first)) {
    return form === "value" && JSON.stringify(message.details) === first.text ? message.details : first.text;
  }
  const blocks = message.content.flatMap(encodeResultBlock);
  // Logs of earlier releases store a value as one opaque block.
  return form === "value" && first.type === "opaque" && blocks.length === 1 ? blocks[0] : blocks;
}
