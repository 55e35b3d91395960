import { hasExactly, isObject, type JsonObject } from "../../core/json/value.js";
import { deviations, restore } from "../../core/records/deviation.js";
import type {
  AssistantContent,
  ImageContent,
  OpaqueContent,
  TextContent,
  ThinkingContent,
  UserContent,
} from "../../core/types.js";
import { readDocument, writeDocument } from "./documents.js";
import { extWith, notesOf } from "./notes.js";
import {
  type AnswerBlock,
  type Block,
  type GivenBlock,
  type ImageSource,
  isBlock,
  NAME,
  type TextBlock,
} from "./wire.js";

/** A block of an answer. Blocks of an unknown kind or shape are kept unchanged. */
export function readAnswerBlock(wire: Block): AssistantContent {
  const block = knownAnswerBlock(wire);
  const plain = block === undefined ? undefined : plainAnswerBlock(block);
  if (block === undefined || plain === undefined) return opaque(wire);
  return { ...block, ...extWith({ ...deviations(wire, plain) }) };
}

function knownAnswerBlock(wire: Block): AssistantContent | undefined {
  const { type, text, thinking, signature, data, id, name, input } = wire;
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "thinking" && typeof thinking === "string") {
    if (typeof signature === "string" && signature !== "")
      return { type, thinking, thinkingSignature: signature };
    return signature === undefined || signature === "" ? { type, thinking } : undefined;
  }
  if (type === "redacted_thinking" && typeof data === "string") {
    return { type: "thinking", thinking: "", redacted: true, thinkingSignature: data };
  }
  if (type === "tool_use" && typeof id === "string" && typeof name === "string" && isObject(input)) {
    return { type: "toolCall", id, name, arguments: input };
  }
  return undefined;
}

/** Undefined for blocks that an answer of this API cannot contain. */
export function writeAnswerBlock(block: AssistantContent): JsonObject | undefined {
  if (block.type === "opaque") return ownValue(block);
  const plain = plainAnswerBlock(block);
  return plain === undefined ? undefined : restore(plain, notesOf(block));
}

function plainAnswerBlock(block: AssistantContent): AnswerBlock | undefined {
  switch (block.type) {
    case "text":
      return plainText(block);
    case "thinking":
      return plainThinking(block);
    case "toolCall":
      return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
    case "image":
    case "audio":
    case "file":
    case "opaque":
      return undefined;
  }
}

/** Undefined for a blank text that only carries a signature: no server accepts it. */
function plainText({ text, textSignature }: TextContent): TextBlock | undefined {
  return textSignature !== undefined && text.trim() === "" ? undefined : { type: "text", text };
}

function plainThinking({ thinking, redacted, thinkingSignature = "" }: ThinkingContent): AnswerBlock {
  return redacted === true
    ? { type: "redacted_thinking", data: thinkingSignature }
    : { type: "thinking", thinking, signature: thinkingSignature };
}

/** A block of a user message or of a tool result. */
export function readGivenBlock(wire: Block): UserContent {
  const block = knownGivenBlock(wire);
  const plain = block === undefined ? undefined : plainGivenBlock(block);
  if (block === undefined || plain === undefined) return opaque(wire);
  return { ...block, ...extWith({ ...deviations(wire, plain) }) };
}

function knownGivenBlock(wire: Block): UserContent | undefined {
  switch (wire.type) {
    case "text":
      return typeof wire["text"] === "string" ? { type: "text", text: wire["text"] } : undefined;
    case "image":
      return isObject(wire["source"]) ? readImage(wire["source"]) : undefined;
    case "document":
      return readDocument(wire);
    default:
      return undefined;
  }
}

/** Undefined for blocks that a message to this API cannot contain. */
export function writeGivenBlock(block: UserContent): JsonObject | undefined {
  if (block.type === "opaque") return ownValue(block);
  const plain = plainGivenBlock(block);
  return plain === undefined ? undefined : restore(plain, notesOf(block));
}

function plainGivenBlock(block: UserContent): GivenBlock | undefined {
  switch (block.type) {
    case "text":
      return plainText(block);
    case "image":
      return { type: "image", source: imageSource(block) };
    case "file":
      return writeDocument(block);
    case "audio":
    case "opaque":
      return undefined;
  }
}

function readImage(source: JsonObject): ImageContent | undefined {
  const { type, media_type: mimeType, data, url } = source;
  if (type === "url" && typeof url === "string" && hasExactly(source, "type", "url")) {
    return { type: "image", url };
  }
  const exact = type === "base64" && hasExactly(source, "type", "media_type", "data");
  if (!exact || typeof mimeType !== "string" || typeof data !== "string") return undefined;
  return { type: "image", data, mimeType };
}

function imageSource(image: ImageContent): ImageSource {
  return image.url === undefined
    ? { type: "base64", media_type: image.mimeType, data: image.data }
    : { type: "url", url: image.url };
}

function opaque(value: Block): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}

function ownValue({ dialect, value }: OpaqueContent): JsonObject | undefined {
  return dialect === NAME && isBlock(value) ? value : undefined;
}
