import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { type MediaContent, mediaWithData } from "../../core/message/typed-media.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import type { ToolCall, UserContent } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

/** A tool request as a call; undefined if it does not have the fields of one. */
export function readRequest(request: unknown): ToolCall | undefined {
  if (!isObject(request)) return undefined;
  const { toolCallId: id, name, arguments: args } = request;
  if (!isString(id) || !isString(name)) return undefined;
  // A tool can also accept plain text.
  const input = isObject(args) ? args : args === undefined ? {} : { input: args };
  const call: ToolCall = { type: "toolCall", id, name, arguments: input };
  return { ...call, ...extWith(differencesOf(request, plainRequest(call), true)) };
}

function plainRequest({ id, name, arguments: input }: ToolCall): JsonObject {
  return { toolCallId: id, name, arguments: input, type: "function" };
}

export function writeRequest(call: ToolCall): JsonObject {
  return restore(plainRequest(call), notesOf(call));
}

/** A file as Copilot attaches it to a prompt, or to a result. */
type FileShape = "attachment" | "result";

/** Any other attachment stays as it is: it is a reference, and Copilot sends the text that it made of it. */
export function readFile(file: unknown, shape: FileShape): UserContent {
  const block = isObject(file) ? knownFile(file, shape) : undefined;
  if (block === undefined || !isObject(file)) return { type: "opaque", dialect: NAME, value: file };
  return { ...block, ...extWith(differencesOf(file, plainFile(block, shape))) };
}

function knownFile(file: JsonObject, shape: FileShape): MediaContent | undefined {
  const { type, data, mimeType, displayName } = file;
  if (!isString(data) || !isString(mimeType)) return undefined;
  if (shape === "attachment" ? type !== "blob" : type !== "image" && type !== "resource") return undefined;
  const name = shape === "attachment" && isString(displayName) ? { name: displayName } : {};
  return { ...mediaWithData(mimeType, data), ...name };
}

function plainFile({ type, data, mimeType, name }: MediaContent, shape: FileShape): JsonObject {
  if (shape === "result") return { type: type === "image" ? "image" : "resource", data, mimeType };
  return { type: "blob", data, mimeType, ...(name === undefined ? {} : { displayName: name }) };
}

/** The files among the blocks. Those at a URL cannot be written. */
export function writeFiles(content: readonly UserContent[], shape: FileShape): unknown[] {
  return content.flatMap((block): unknown[] => {
    if (block.type === "text") return [];
    if (block.type === "opaque") return block.dialect === NAME ? [block.value] : [];
    return block.data === undefined ? [] : [restore(plainFile(block, shape), notesOf(block))];
  });
}

export function textIn(content: readonly UserContent[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
