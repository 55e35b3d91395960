import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import {
  isMedia,
  type MediaContent,
  mediaTypeOf,
  mediaWithData,
  mediaWithUrl,
} from "../../core/message/typed-media.js";
import { withFields } from "../../core/records/deviation.js";
import type { ToolResultMessage, UserContent } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";

/*
 * A tool's output is any JSON value. Text is a string. Content with images or files has the form that the AI SDK's MCP
 * tools return, the result of MCP's `tools/call`:
 *
 *     { "content": [ { "type": "text", "text": "…" }, { "type": "image", "data": "…", "mimeType": "…" } ], "isError"? }
 *
 * Any other value is one text with its JSON, and the value itself goes into `details`.
 */

interface Output extends Pick<ToolResultMessage, "content" | "details" | "isError"> {
  /** The output was an MCP result, although a string would do. */
  form?: "content";
}

export function decodeOutput(output: unknown): Output {
  if (output === undefined) return { content: [], isError: false };
  if (isString(output)) return { content: [{ type: "text", text: output }], isError: false };
  const content = contentOf(output);
  if (content !== undefined) {
    const isError = isObject(output) && output["isError"] === true;
    const isShort = onlyText(content) !== undefined || (isError && content.length === 0);
    return { content, isError, ...(isShort ? { form: "content" } : {}) };
  }
  return { content: [{ type: "text", text: JSON.stringify(output) }], details: output, isError: false };
}

export function encodeOutput(result: ToolResultMessage): unknown {
  const { content, details, isError } = result;
  const text = isError || isMcpResult(result) ? undefined : onlyText(content);
  if (text === undefined) {
    return { content: content.flatMap(encodeOutputBlock), ...(isError ? { isError } : {}) };
  }
  const isValue = details !== undefined && !isString(details) && contentOf(details) === undefined;
  return isValue && JSON.stringify(details) === text ? details : text;
}

/** Whether the output was read as an MCP result, although a string would do. */
export function isMcpResult(result: ToolResultMessage): boolean {
  return notesOf(result)["form"] === "content";
}

/** The text of a result that is only one text. */
export function onlyText(content: readonly UserContent[]): string | undefined {
  const [first, ...others] = content;
  return first?.type === "text" && others.length === 0 && isEmpty(notesOf(first)) ? first.text : undefined;
}

/** The blocks of an MCP result; undefined for any other value. */
function contentOf(output: unknown): UserContent[] | undefined {
  if (!isObject(output) || !Array.isArray(output["content"])) return undefined;
  const blocks = output["content"].map(decodeOutputBlock);
  return blocks.every((block) => block !== undefined) ? blocks : undefined;
}

function decodeOutputBlock(block: unknown): UserContent | undefined {
  if (!isObject(block)) return undefined;
  switch (block["type"]) {
    case "text": {
      const { type: _, text, ...fields } = block;
      return isString(text) ? { type: "text", text, ...extWith({ fields }) } : undefined;
    }
    case "image":
    case "audio": {
      const { type, data, mimeType, ...fields } = block;
      if (!isString(data) || !isString(mimeType)) return undefined;
      return { type: type === "image" ? "image" : "audio", data, mimeType, ...extWith({ fields }) };
    }
    case "resource_link":
      return decodeLink(block);
    case "resource":
      return decodeResource(block);
    default:
      return undefined;
  }
}

function decodeLink({ type: _, uri, name, mimeType, ...fields }: JsonObject): UserContent | undefined {
  if (!isString(uri) || !isString(name) || !isString(mimeType)) return undefined;
  return { ...mediaWithUrl(mimeType, uri), ...nameOf(name), ...extWith({ fields }) };
}

/** A file with its bytes. A resource with text, or with other fields, is not one. */
function decodeResource({ type: _, resource, ...fields }: JsonObject): UserContent | undefined {
  if (!isObject(resource)) return undefined;
  const { uri, mimeType, blob, ...others } = resource;
  if (!isString(uri) || !isString(mimeType) || !isString(blob) || !isEmpty(others)) return undefined;
  const block = mediaWithData(mimeType, blob);
  return block.type === "file" ? { ...block, ...nameOf(uri), ...extWith({ fields }) } : undefined;
}

function encodeOutputBlock(block: UserContent): unknown[] {
  const { fields } = notesOf(block);
  if (block.type === "text") return [withFields({ type: "text", text: block.text }, fields)];
  return isMedia(block) ? [withFields(encodeMedia(block), fields)] : [];
}

function encodeMedia(block: MediaContent): JsonObject {
  const { type, data, url, name = "" } = block;
  const mimeType = mediaTypeOf(block);
  if (data === undefined) return { type: "resource_link", uri: url, name, mimeType };
  if (type !== "file") return { type, data, mimeType };
  return { type: "resource", resource: { uri: name, mimeType, blob: data } };
}

/** The schema requires a name; an empty one states that there is none. */
function nameOf(name: string): { name?: string } {
  return name === "" ? {} : { name };
}
