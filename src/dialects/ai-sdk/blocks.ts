import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { addressOf, readDataUrl, typeOfBytes } from "../../core/message/media.js";
import {
  type SignatureReader,
  type SignedKind,
  signatureMetadata,
  signedApi,
} from "../../core/message/provider-metadata.js";
import {
  hasRelativeUrl,
  isMedia,
  type MediaContent,
  mediaTypeOf,
  mediaWithData,
  mediaWithUrl,
} from "../../core/message/typed-media.js";
import { deviations, forget, restore } from "../../core/records/deviation.js";
import type { AssistantContent, OpaqueContent, UserContent } from "../../core/types.js";
import { addNotes, notesOf } from "./notes.js";
import { isPart, NAME } from "./wire.js";

/** A part of a user message. A part without a counterpart in the model is kept as opaque. */
export function decodeUserPart(part: unknown): UserContent {
  const text =
    isPart(part, "text") && isString(part["text"])
      ? { type: "text" as const, text: part["text"] }
      : undefined;
  return noted(part, text ?? decodeMedia(part), "") ?? opaque(part);
}

export function decodeAssistantPart(part: unknown, signatures: SignatureReader): AssistantContent {
  const block = isObject(part) ? decodeAnswer(part, signatures) : undefined;
  return noted(part, block, signatures.api) ?? opaque(part);
}

/**
 * The part of a block; none for a block that only another dialect understands, and none for a file with a relative URL:
 * the AI SDK reads it as the file's bytes.
 */
export function encodeBlock(block: AssistantContent | UserContent, api: string): unknown[] {
  if (block.type === "opaque")
    return block.dialect === NAME && block.value !== undefined ? [block.value] : [];
  if (isMedia(block) && hasRelativeUrl(block)) return [];
  const notes = notesOf(block);
  const isEdited = block.type === "toolCall" && Object.keys(block.arguments).length > 0;
  return [restore(partOf(block, api), isEdited ? forget(notes, "input") : notes)];
}

/** The API whose signatures are in an answer; empty if there are none. */
export function apiOf(parts: readonly unknown[]): string {
  for (const part of parts) {
    if (!isObject(part)) continue;
    const kind = kinds.get(part["type"]);
    const api = kind && signedApi(part["providerOptions"], kind);
    if (api !== undefined) return api;
  }
  return "";
}

const kinds = new Map<unknown, SignedKind>([
  ["text", "text"],
  ["reasoning", "thinking"],
  ["tool-call", "toolCall"],
]);

function decodeAnswer(
  part: JsonObject,
  signatures: SignatureReader,
): Exclude<AssistantContent, OpaqueContent> | undefined {
  const { type, text, toolCallId, toolName, input } = part;
  const kind = kinds.get(type);
  const signed = kind && signatures.read(part["providerOptions"], kind, isString(text) ? text : "");
  const signature = signed?.signature;
  switch (type) {
    case "text":
      if (!isString(text)) return undefined;
      return { type, text, ...(signature === undefined ? {} : { textSignature: signature }) };
    case "reasoning":
      if (!isString(text)) return undefined;
      return {
        type: "thinking",
        thinking: text,
        ...(signature === undefined ? {} : { thinkingSignature: signature }),
        ...(signed?.redacted === true ? { redacted: true } : {}),
      };
    case "tool-call":
      if (!isString(toolCallId) || !isString(toolName)) return undefined;
      return {
        type: "toolCall",
        id: toolCallId,
        name: toolName,
        arguments: isObject(input) ? input : {},
        ...(signature === undefined ? {} : { thoughtSignature: signature }),
        ...(isObject(input) ? {} : { argumentsError: "the input is not an object" }),
      };
    default:
      return type === "file" ? decodeMedia(part) : undefined;
  }
}

/** Our part for the block, without its deviations. */
function partOf(block: Exclude<AssistantContent | UserContent, OpaqueContent>, api: string): JsonObject {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, ...signatureOf(block, api) };
    case "thinking":
      return { type: "reasoning", text: block.thinking, ...signatureOf(block, api) };
    case "toolCall": {
      const { id, name, arguments: input } = block;
      return { type: "tool-call", toolCallId: id, toolName: name, input, ...signatureOf(block, api) };
    }
    case "image":
    case "audio":
    case "file":
      return mediaPart(block);
  }
}

function signatureOf(block: AssistantContent, api: string): JsonObject {
  const providerOptions = signatureMetadata(block, api);
  return providerOptions === undefined ? {} : { providerOptions };
}

/** A file, or an image. The media type of an image is optional. Bytes are base64 or a data URL. */
function decodeMedia(part: unknown): MediaContent | undefined {
  const isImage = isPart(part, "image");
  if (!isImage && !isPart(part, "file")) return undefined;
  const { mediaType, filename } = part;
  const data = isImage ? part["image"] : part["data"];
  if (!isString(data) || !(isString(mediaType) || (isImage && mediaType === undefined))) return undefined;
  const bytes = readDataUrl(data);
  const isBase64 = bytes === undefined && !URL.canParse(data);
  const type = mediaType ?? bytes?.mimeType ?? (isBase64 ? typeOfBytes(data) : undefined) ?? "image/*";
  const block =
    bytes !== undefined || isBase64 ? mediaWithData(type, bytes?.data ?? data) : mediaWithUrl(type, data);
  if (isImage && block.type !== "image") return undefined;
  addNotes(block, { ...(bytes === undefined ? {} : { dataUrl: true }), ...(isImage ? { image: true } : {}) });
  return isString(filename) && !isImage ? { ...block, name: filename } : block;
}

function mediaPart(block: MediaContent): JsonObject {
  const { dataUrl, image } = notesOf(block);
  const mediaType = mediaTypeOf(block);
  const data = dataUrl === true ? addressOf(block) : (block.data ?? block.url);
  if (image === true && block.type === "image") return { type: "image", image: data, mediaType };
  return { type: "file", data, mediaType, ...(block.name === undefined ? {} : { filename: block.name }) };
}

/** The block with the part's deviations from ours. */
function noted<B extends Exclude<AssistantContent | UserContent, OpaqueContent>>(
  part: unknown,
  block: B | undefined,
  api: string,
): B | undefined {
  if (block === undefined || !isObject(part)) return undefined;
  addNotes(block, deviations(part, partOf(block, api), { inside: "all" }) ?? {});
  return block;
}

function opaque(value: unknown): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}
