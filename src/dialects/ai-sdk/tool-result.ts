import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import {
  isMedia,
  type MediaContent,
  mediaTypeOf,
  mediaWithData,
  mediaWithUrl,
} from "../../core/message/typed-media.js";
import { deviations, restore } from "../../core/records/deviation.js";
import type { ToolResultMessage, UserContent } from "../../core/types.js";
import { addNotes, extWith, notesOf } from "./notes.js";
import { isPart, NAME } from "./wire.js";

/** A `tool-result` part as a message; undefined for any other part. */
export function decodeResult(part: unknown): ToolResultMessage | undefined {
  if (!isPart(part, "tool-result")) return undefined;
  const { toolCallId, toolName, output } = part;
  if (!isString(toolCallId) || !isString(toolName) || !isObject(output)) return undefined;
  const read = decodeOutput(output);
  if (read === undefined) return undefined;
  const { form, ...result } = read;
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId,
    toolName,
    ...result,
    timestamp: 0,
    ...extWith({ form }, ["/timestamp"]),
  };
  addNotes(message, { part: deviations(part, ourPart(message), { inside: "all" }) });
  return message;
}

export function encodeResult(message: ToolResultMessage): JsonObject {
  return restore(ourPart(message), notesOf(message)["part"]);
}

function ourPart(message: ToolResultMessage): JsonObject {
  const { toolCallId, toolName } = message;
  return { type: "tool-result", toolCallId, toolName, output: encodeOutput(message) };
}

interface Output extends Pick<ToolResultMessage, "content" | "details" | "isError"> {
  form?: "content" | "denied";
}

/**
 * A JSON value becomes one text with its JSON, and the value itself goes into `details`. Undefined if the output has none
 * of the SDK's types.
 */
function decodeOutput({ type, value, reason }: JsonObject): Output | undefined {
  const isError = type === "error-text" || type === "error-json";
  switch (type) {
    case "text":
    case "error-text":
      if (!isString(value)) return undefined;
      // An error must have a text, so an empty one states that there is none.
      return { content: isError && value === "" ? [] : [{ type: "text", text: value }], isError };
    case "json":
    case "error-json":
      if (value === undefined) return undefined;
      return { content: [{ type: "text", text: JSON.stringify(value) }], details: value, isError };
    case "execution-denied":
      return {
        content: isString(reason) ? [{ type: "text", text: reason }] : [],
        isError: true,
        form: "denied",
      };
    case "content": {
      if (!Array.isArray(value)) return undefined;
      const content = value.map(decodeOutputPart);
      return { content, isError: false, ...(onlyText(content) === undefined ? {} : { form: "content" }) };
    }
    default:
      return undefined;
  }
}

function encodeOutput(message: ToolResultMessage): JsonObject {
  const { content, details, isError } = message;
  const { form } = notesOf(message);
  const text = onlyText(content);
  if (form === "denied" && isError && (text !== undefined || content.length === 0)) {
    return { type: "execution-denied", ...(text === undefined ? {} : { reason: text }) };
  }
  // An error has no list of parts. Its content counts for more than the mark.
  if (text === undefined && isError && content.length === 0) return { type: "error-text", value: "" };
  if (text === undefined || form === "content")
    return { type: "content", value: content.flatMap(encodeOutputPart) };
  const isValue = details !== undefined && JSON.stringify(details) === text;
  if (isValue) return { type: isError ? "error-json" : "json", value: details };
  return { type: isError ? "error-text" : "text", value: text };
}

/** The text of a result that is only one text. */
function onlyText(content: readonly UserContent[]): string | undefined {
  const [first, ...others] = content;
  return first?.type === "text" && others.length === 0 && isEmpty(notesOf(first)) ? first.text : undefined;
}

/** A part of a list. References to a provider's files, and parts that the SDK does not define, are kept as opaque. */
function decodeOutputPart(part: unknown): UserContent {
  const block = isObject(part) ? readOutputPart(part) : undefined;
  if (block === undefined || !isObject(part)) return { type: "opaque", dialect: NAME, value: part };
  addNotes(block, deviations(part, ourOutputPart(block), { inside: "all" }) ?? {});
  return block;
}

type OutputBlock = Exclude<UserContent, { type: "opaque" }>;

function readOutputPart({ type, text, data, mediaType, url, filename }: JsonObject): OutputBlock | undefined {
  if (type === "text") return isString(text) ? { type, text } : undefined;
  const name = isString(filename) ? { name: filename } : {};
  switch (type) {
    case "media":
    case "image-data":
    case "file-data":
      return isString(data) && isString(mediaType)
        ? { ...mediaWithData(mediaType, data), ...name }
        : undefined;
    case "image-url":
      return isString(url) ? { type: "image", url } : undefined;
    case "file-url":
      return isString(url)
        ? { ...mediaWithUrl(isString(mediaType) ? mediaType : undefined, url), ...name }
        : undefined;
    default:
      return undefined;
  }
}

function encodeOutputPart(block: UserContent): unknown[] {
  if (block.type !== "opaque") return [restore(ourOutputPart(block), notesOf(block))];
  return block.dialect === NAME && block.value !== undefined ? [block.value] : [];
}

function ourOutputPart(block: OutputBlock): JsonObject {
  if (!isMedia(block)) return { type: "text", text: block.text };
  return block.data === undefined ? urlPart(block) : dataPart(block);
}

function urlPart(block: MediaContent): JsonObject {
  const { type, url, mimeType } = block;
  if (type === "image" && mimeType === undefined) return { type: "image-url", url };
  const mediaType = type === "file" && mimeType === undefined ? {} : { mediaType: mediaTypeOf(block) };
  return { type: "file-url", url, ...mediaType };
}

function dataPart({ type, data, mimeType, name }: MediaContent): JsonObject {
  if (type === "image") return { type: "image-data", data, mediaType: mimeType };
  return { type: "file-data", data, mediaType: mimeType, ...(name === undefined ? {} : { filename: name }) };
}
