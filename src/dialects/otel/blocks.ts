import { parseArguments } from "../../core/json/arguments.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { typeOfBytes } from "../../core/message/media.js";
import { restore, stableDeviations } from "../../core/records/deviation.js";
import type { AssistantContent, UserContent } from "../../core/types.js";
import { addNotes, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

type Block = AssistantContent;
type KnownBlock = Exclude<Block, { type: "opaque" }>;

export function decodeUserPart(part: unknown): UserContent {
  const block = readMedia(part) ?? readText(part);
  return block === undefined ? opaque(part) : noted(block, part);
}

export function decodeAnswerPart(part: unknown): AssistantContent {
  const block = readMedia(part) ?? readText(part) ?? readThinking(part) ?? readCall(part);
  return block === undefined ? opaque(part) : noted(block, part);
}

function opaque(value: unknown): UserContent {
  return { type: "opaque", dialect: NAME, value };
}

function noted<T extends KnownBlock>(block: T, part: unknown): T {
  if (isObject(part)) addNotes(block, stableDeviations(part, ownPart(block), { guarded: true }) ?? {});
  return block;
}

function readText(part: unknown): Extract<Block, { type: "text" }> | undefined {
  if (!isObject(part) || part["type"] !== "text") return undefined;
  const { content, signature } = part;
  if (!isString(content)) return undefined;
  return { type: "text", text: content, ...(isString(signature) ? { textSignature: signature } : {}) };
}

function readThinking(part: unknown): KnownBlock | undefined {
  if (!isObject(part) || part["type"] !== "reasoning") return undefined;
  const { content, signature, redacted } = part;
  if (!isString(content)) return undefined;
  return {
    type: "thinking",
    thinking: content,
    ...(isString(signature) ? { thinkingSignature: signature } : {}),
    ...(redacted === true ? { redacted } : {}),
  };
}

function readCall(part: unknown): KnownBlock | undefined {
  if (!isObject(part) || part["type"] !== "tool_call") return undefined;
  const { id, name, arguments: args, signature } = part;
  if (!isString(name)) return undefined;
  return {
    type: "toolCall",
    id: isString(id) ? id : "",
    name,
    ...(isObject(args) ? { arguments: args } : parseArguments(isString(args) ? args : "")),
    ...(isString(signature) ? { thoughtSignature: signature } : {}),
  };
}

function readMedia(part: unknown): Extract<Block, { type: "image" | "audio" | "file" }> | undefined {
  if (!isObject(part)) return undefined;
  const { type, modality, content, uri, mime_type: mime } = part;
  const kind = modality === "image" || modality === "audio" ? modality : "file";
  if (type === "blob" && isString(content)) {
    const mimeType = isString(mime) ? mime : typeOfBytes(content);
    return mimeType === undefined ? undefined : { type: kind, data: content, mimeType };
  }
  if (type !== "uri" || !isString(uri)) return undefined;
  return { type: kind, url: uri, ...(isString(mime) ? { mimeType: mime } : {}) };
}

/** The part of a block, without what was noted. */
function ownPart(block: KnownBlock): JsonObject {
  switch (block.type) {
    case "text":
      return { type: "text", content: block.text, ...signed(block.textSignature) };
    case "thinking":
      return {
        type: "reasoning",
        content: block.thinking,
        ...signed(block.thinkingSignature),
        ...(block.redacted === true ? { redacted: true } : {}),
      };
    case "toolCall": {
      const { id, name, arguments: args, thoughtSignature } = block;
      const known = id === "" ? {} : { id };
      return { type: "tool_call", ...known, name, arguments: args, ...signed(thoughtSignature) };
    }
    case "image":
    case "audio":
    case "file": {
      const { data, url, mimeType } = block;
      const modality = modalityOf(block.type, mimeType);
      const mime = mimeType === undefined ? {} : { mime_type: mimeType };
      return data === undefined
        ? { type: "uri", modality, uri: url, ...mime }
        : { type: "blob", modality, content: data, ...mime };
    }
  }
}

function signed(signature: string | undefined): { signature?: string } {
  return signature === undefined ? {} : { signature };
}

function modalityOf(type: "image" | "audio" | "file", mimeType: string | undefined): string {
  if (type !== "file") return type;
  return mimeType?.startsWith("video/") === true ? "video" : "document";
}

/** The part as it was written; undefined if the conventions have none for the block. */
export function encodePart(block: Block, decode: (part: unknown) => Block): unknown {
  if (block.type !== "opaque") return restore(ownPart(block), notesOf(block));
  const { dialect, value } = block;
  // Only what would be read as the same block again.
  return dialect === NAME && !isResponse(value) && decode(value).type === "opaque" ? value : undefined;
}

/** Whether a part is a tool's result, which the model has as a message. */
export function isResponse(part: unknown): part is JsonObject {
  return isObject(part) && part["type"] === "tool_call_response";
}
