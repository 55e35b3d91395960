import { parseArguments } from "../../core/json/arguments.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { addressOf } from "../../core/message/media.js";
import { deviations, restore, sorted } from "../../core/records/deviation.js";
import type { AssistantContent, ToolResultMessage, UserContent } from "../../core/types.js";
import { imageAt } from "./blocks.js";
import { extWith, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

/** An item of `output` that is not a tool result. */
export function readItem(item: unknown): AssistantContent {
  const block = blockOf(item);
  if (block === undefined || !isObject(item)) return { type: "opaque", dialect: NAME, value: item };
  return { ...block, ...extWith({ ...sorted(deviations(item, ourItem(block) ?? {})) }) };
}

function blockOf(item: unknown): AssistantContent | undefined {
  if (!isObject(item)) return undefined;
  const { type, call_id: id, name, arguments: given } = item;
  const text = onlyText(item["content"]);
  if (type === "message" && text !== undefined) return { type: "text", text };
  if (type === "reasoning" && text !== undefined) return { type: "thinking", thinking: text };
  if (type !== "function_call" || !isString(id) || !isString(name) || !isString(given)) return undefined;
  return { type: "toolCall", id, name, ...parseArguments(given) };
}

function onlyText(content: unknown): string | undefined {
  const [part, ...others]: unknown[] = Array.isArray(content) ? content : [];
  const isPlain = isObject(part) && part["type"] === "output_text" && Object.keys(part).length === 2;
  return isPlain && others.length === 0 && isString(part["text"]) ? part["text"] : undefined;
}

/** The item that a block was, or becomes. */
export function writeItem(block: AssistantContent): unknown[] {
  if (block.type === "opaque") return block.dialect === NAME ? [block.value] : [];
  const ours = ourItem(block);
  return ours === undefined ? [] : [restore(ours, notesOf(block))];
}

function ourItem(block: AssistantContent): JsonObject | undefined {
  const text = (value: string) => [{ type: "output_text", text: value }];
  switch (block.type) {
    case "text":
      return { type: "message", status: "completed", role: "assistant", content: text(block.text) };
    case "thinking":
      return { type: "reasoning", status: "completed", content: text(block.thinking), summary: null };
    case "toolCall": {
      const { id, name, arguments: given } = block;
      const call = { call_id: id, name, arguments: JSON.stringify(given) };
      return { type: "function_call", ...call, status: "completed" };
    }
    default:
      return undefined;
  }
}

/** A tool result without its identity; undefined for any other item. */
export function readResult(item: unknown): Omit<ToolResultMessage, "timestamp"> | undefined {
  if (!isObject(item) || item["type"] !== "function_call_output" || !isString(item["call_id"]))
    return undefined;
  const { call_id: toolCallId, output } = item;
  const parts: unknown[] = Array.isArray(output)
    ? output
    : isString(output)
      ? [{ type: "input_text", text: output }]
      : [];
  const result = {
    role: "toolResult" as const,
    toolCallId,
    toolName: "",
    content: parts.map(readPart),
    isError: false,
  };
  return {
    ...result,
    ...extWith({ item: sorted(deviations(item, ourResult(result))) }, ["/toolName", "/isError"]),
  };
}

function readPart(part: unknown): UserContent {
  if (isObject(part) && Object.keys(part).length === 2) {
    if (part["type"] === "input_text" && isString(part["text"])) return { type: "text", text: part["text"] };
    if (part["type"] === "input_image" && isString(part["image_url"])) return imageAt(part["image_url"]);
  }
  return { type: "opaque", dialect: NAME, value: part };
}

export function writeResult(message: ToolResultMessage): JsonObject {
  return restore(ourResult(message), notesOf(message)["item"]);
}

function ourResult({ toolCallId, content }: Pick<ToolResultMessage, "toolCallId" | "content">): JsonObject {
  const output = content.flatMap(writePart);
  return { type: "function_call_output", call_id: toolCallId, output, status: "completed" };
}

function writePart(block: UserContent): unknown[] {
  switch (block.type) {
    case "text":
      return [{ type: "input_text", text: block.text }];
    case "image":
      return [{ type: "input_image", image_url: addressOf(block) }];
    case "opaque":
      return block.dialect === NAME ? [block.value] : [];
    default:
      return [];
  }
}
