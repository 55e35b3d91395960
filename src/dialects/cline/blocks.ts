import { DragomanError } from "../../core/error.js";
import { jsonIn } from "../../core/json/parse.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { isAbsent, withFields } from "../../core/records/deviation.js";
import type {
  AssistantContent,
  ImageContent,
  OpaqueContent,
  TextContent,
  ThinkingContent,
  ToolCall,
  UserContent,
} from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

export function decodeUserBlock(block: unknown, at: string): UserContent {
  if (!isObject(block)) return opaque(block);
  if (block["type"] === "text") return decodeText(block, at);
  return decodeImage(block, { extra: true }) ?? opaque(block);
}

export function decodeAssistantBlock(block: unknown, at: string): AssistantContent {
  if (!isObject(block)) return opaque(block);
  switch (block["type"]) {
    case "text":
      return decodeText(block, at);
    case "thinking":
      return decodeThinking(block, at);
    case "tool_use":
      return decodeCall(block, at);
    case "redacted_thinking":
      return decodeRedacted(block) ?? opaque(block);
    default:
      return decodeImage(block, { extra: true }) ?? opaque(block);
  }
}

/** A text or an image in a tool result; undefined for any other value. */
export function readResultBlock(block: unknown, at: string): UserContent | undefined {
  if (!isObject(block)) return undefined;
  if (block["type"] === "text" && typeof block["text"] === "string") return decodeText(block, at);
  return decodeImage(block, {});
}

/** A JSON value among a tool result's blocks; the model is shown its text. */
export function jsonBlock(value: unknown): TextContent {
  return { type: "text", text: JSON.stringify(value), ...extWith({ json: true }) };
}

function decodeText({ type: _, text, signature, ...rest }: JsonObject, at: string): TextContent {
  const { signed, fields } = splitSignature(signature, rest);
  return {
    type: "text",
    text: requireString(text, `${at}/text`),
    ...(signed === undefined ? {} : { textSignature: signed }),
    ...extWith({ fields }),
  };
}

function decodeThinking({ type: _, thinking, signature, ...rest }: JsonObject, at: string): ThinkingContent {
  const { signed, fields } = splitSignature(signature, rest);
  return {
    type: "thinking",
    thinking: requireString(thinking, `${at}/thinking`),
    ...(signed === undefined ? {} : { thinkingSignature: signed }),
    ...extWith({ fields }),
  };
}

function decodeRedacted({ type: _, data, ...fields }: JsonObject): ThinkingContent | undefined {
  if (typeof data !== "string") return undefined;
  return {
    type: "thinking",
    thinking: "",
    thinkingSignature: data,
    redacted: true,
    ...extWith({ extra: true, fields }),
  };
}

function decodeCall({ type: _, id, name, input, signature, ...rest }: JsonObject, at: string): ToolCall {
  const { signed, fields } = splitSignature(signature, rest);
  return {
    type: "toolCall",
    id: requireString(id, `${at}/id`),
    name: requireString(name, `${at}/name`),
    arguments: isObject(input) ? input : {},
    ...(signed === undefined ? {} : { thoughtSignature: signed }),
    ...extWith({
      ...(isObject(input) ? {} : { input }),
      absent: input === undefined ? ["input"] : [],
      fields,
    }),
  };
}

/** An image in Cline's shape, or in Anthropic's, as in older files. */
function decodeImage(block: JsonObject, notes: JsonObject): ImageContent | undefined {
  if (block["type"] !== "image") return undefined;
  const { type: _, data, mediaType, ...fields } = block;
  if (typeof data === "string" && typeof mediaType === "string") {
    return { type: "image", data, mimeType: mediaType, ...extWith({ ...notes, fields }) };
  }
  const { type: __, source, ...others } = block;
  const image = imageIn(source);
  return image && { type: "image", ...image, ...extWith({ ...notes, source: true, fields: others }) };
}

function imageIn(source: unknown): { data: string; mimeType: string } | { url: string } | undefined {
  if (!isObject(source)) return undefined;
  const { type, media_type: mimeType, data, url, ...others } = source;
  if (Object.keys(others).length > 0) return undefined;
  if (type === "url" && typeof url === "string" && mimeType === undefined && data === undefined)
    return { url };
  const isBytes = type === "base64" && typeof data === "string" && url === undefined;
  return isBytes && typeof mimeType === "string" ? { data, mimeType } : undefined;
}

/** The provider's signature; one that is not a string stays with the unknown fields. */
function splitSignature(signature: unknown, rest: JsonObject): { signed?: string; fields: JsonObject } {
  if (typeof signature === "string") return { signed: signature, fields: rest };
  return { fields: signature === undefined ? rest : { ...rest, signature } };
}

function opaque(value: unknown): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}

export function requireString(value: unknown, at: string): string {
  if (typeof value === "string") return value;
  const found = value === undefined ? "nothing" : JSON.stringify(value).slice(0, 40);
  throw new DragomanError("model/invalid", `expected a string, found ${found}`, { at });
}

/** The block as the contract defines it, or as it was in the file; none if the contract has no such block. */
export function encodeBlock(block: UserContent | AssistantContent, contract: readonly string[]): unknown[] {
  const notes = notesOf(block);
  switch (block.type) {
    case "text":
      return [encodeText(block)];
    case "thinking": {
      const { thinking, thinkingSignature: signature, redacted } = block;
      if (redacted !== true) return [written({ type: "thinking", thinking, signature }, notes)];
      if (notes["extra"] !== true || signature === undefined) return [];
      return [written({ type: "redacted_thinking", data: signature }, notes)];
    }
    case "toolCall": {
      const { id, name, thoughtSignature: signature } = block;
      return [written({ type: "tool_use", id, name, input: inputOf(block), signature }, notes)];
    }
    case "image":
      return notes["extra"] === true ? encodeImage(block) : [];
    case "opaque":
      return isOurs(block) && !isOneOf(block.value, contract) ? [block.value] : [];
    case "audio":
    case "file":
      return [];
  }
}

/** A tool result can also contain images and any JSON value. */
export function encodeResultBlock(block: UserContent): unknown[] {
  switch (block.type) {
    case "text":
      return jsonOf(block) ?? [encodeText(block)];
    case "image":
      return encodeImage(block);
    case "opaque":
      return isOurs(block) && readResultBlock(block.value, "") === undefined ? [block.value] : [];
    case "audio":
    case "file":
      return [];
  }
}

/** The JSON value, in a list, if the block is marked as one and still is one. */
function jsonOf(block: TextContent): [unknown] | undefined {
  const value = notesOf(block)["json"] === true ? jsonIn(block.text) : undefined;
  return value !== undefined && readResultBlock(value, "") === undefined ? [value] : undefined;
}

function encodeText(block: TextContent): JsonObject {
  return written({ type: "text", text: block.text, signature: block.textSignature }, notesOf(block));
}

function encodeImage(block: ImageContent): unknown[] {
  const notes = notesOf(block);
  if (notes["source"] === true) return [written({ type: "image", source: sourceOf(block) }, notes)];
  if (block.data === undefined) return [];
  return [written({ type: "image", data: block.data, mediaType: block.mimeType }, notes)];
}

function sourceOf({ data, mimeType, url }: ImageContent): JsonObject {
  return data === undefined ? { type: "url", url } : { type: "base64", media_type: mimeType, data };
}

function inputOf(call: ToolCall): unknown {
  const { arguments: input } = call;
  const notes = notesOf(call);
  if (Object.keys(input).length > 0) return input;
  if (isAbsent(notes, "input")) return undefined;
  return Object.hasOwn(notes, "input") ? notes["input"] : input;
}

function isOneOf(block: unknown, types: readonly string[]): boolean {
  return isObject(block) && types.some((type) => type === block["type"]);
}

function isOurs(block: OpaqueContent): boolean {
  return block.dialect === NAME && block.value !== undefined;
}

function written(own: JsonObject, { fields }: JsonObject): JsonObject {
  const present = Object.entries(own).filter(([, value]) => value !== undefined);
  return withFields(Object.fromEntries(present), fields);
}

/** A text block without other fields. */
export function isPlainText(block: UserContent | AssistantContent | undefined): block is TextContent {
  return block?.type === "text" && Object.keys(block).length === 2;
}
