import { parseArguments } from "../../core/json/arguments.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { withFields } from "../../core/records/deviation.js";
import type { AssistantContent, ThinkingContent, ToolCall } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { callText } from "./wire.js";

/** The text that is written to a tool, as a call. A text that is not a JSON object is the argument `code`. */
export function readCall(
  { recipient, content }: JsonObject,
  id: string | undefined,
): AssistantContent[] | undefined {
  if (!isString(recipient) || id === undefined || !isObject(content)) return undefined;
  const text = callText(content);
  if (text === undefined) return undefined;
  const { arguments: parsed, argumentsError } = parseArguments(text);
  const given = argumentsError === undefined && text.trim() !== "" ? parsed : { code: text };
  const form = content["content_type"] === "text" ? { content: "text" } : {};
  return [{ type: "toolCall", id, name: recipient, arguments: given, ...extWith(form) }];
}

export function writeCall(call: ToolCall): JsonObject {
  const { code, ...others } = call.arguments;
  const isCode = isString(code) && Object.keys(others).length === 0;
  const text = isCode ? code : JSON.stringify(call.arguments);
  if (notesOf(call)["content"] === "text") return { content_type: "text", parts: [text] };
  return { content_type: "code", language: "unknown", text };
}

/** Each thought as a block; undefined if there are none. */
export function readThoughts({
  content_type: type,
  thoughts,
  parts,
}: JsonObject): ThinkingContent[] | undefined {
  if (type !== "thoughts") return undefined;
  if (Array.isArray(thoughts)) {
    const blocks = thoughts.map(readThought);
    return blocks.every((block) => block !== undefined) ? blocks : undefined;
  }
  if (!Array.isArray(parts) || !parts.every(isString)) return undefined;
  return parts.map((thinking) => ({ type: "thinking", thinking, ...extWith({ part: "text" }) }));
}

function readThought(value: unknown): ThinkingContent | undefined {
  if (!isObject(value)) return undefined;
  const { content, ...fields } = value;
  return isString(content) ? { type: "thinking", thinking: content, ...extWith({ fields }) } : undefined;
}

export function writeThoughts(blocks: readonly ThinkingContent[]): JsonObject {
  const isText = blocks.every((block) => notesOf(block)["part"] === "text") && blocks.length > 0;
  if (isText) return { content_type: "thoughts", parts: blocks.map(({ thinking }) => thinking) };
  const thoughts = blocks.map((block) => withFields({ content: block.thinking }, notesOf(block)["fields"]));
  return { content_type: "thoughts", thoughts };
}
