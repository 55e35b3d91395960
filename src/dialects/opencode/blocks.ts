import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { addressOf, readDataUrl } from "../../core/message/media.js";
import { type SignatureReader, signatureMetadata } from "../../core/message/provider-metadata.js";
import {
  type MediaContent,
  mediaTypeOf,
  mediaWithData,
  mediaWithUrl,
} from "../../core/message/typed-media.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import type {
  AssistantContent,
  OpaqueContent,
  TextContent,
  ThinkingContent,
  ToolCall,
  UserContent,
} from "../../core/types.js";
import type { PartFrame } from "./frame.js";
import { extWith, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

/** The API of an answer, and when it was created. */
export interface Origin {
  api: string;
  time: number;
}

/** A prompt has no signatures. */
const PROMPT: Origin = { api: "", time: 0 };

/** A part of a prompt. One that opencode does not send as it is becomes opaque. */
export function readUserPart(part: JsonObject, frame: PartFrame): UserContent {
  return readText(part, frame, PROMPT) ?? readMedia(part, frame) ?? opaque(part);
}

/** A part of an answer other than a call. */
export function readAnswerPart(
  part: JsonObject,
  frame: PartFrame,
  origin: Origin,
  signatures: SignatureReader,
): AssistantContent {
  const block = readText(part, frame, origin, signatures) ?? readReasoning(part, frame, origin, signatures);
  return block ?? readMedia(part, frame) ?? opaque(part);
}

function readText(
  part: JsonObject,
  frame: PartFrame,
  origin: Origin,
  signatures?: SignatureReader,
): TextContent | undefined {
  const { type, text, ignored, metadata } = part;
  // opencode shows ignored text to the user and not to the model.
  if (type !== "text" || !isString(text) || ignored === true) return undefined;
  const signed = signatures?.read(metadata, "text");
  const block: TextContent = { type, text, ...(signed && { textSignature: signed.signature }) };
  return { ...block, ...extWith(differencesOf(part, plainText(block, frame, origin))) };
}

function plainText(block: TextContent, frame: PartFrame, { api }: Origin): JsonObject {
  return { ...frame, type: "text", text: block.text, ...metadataFor(block, api) };
}

function readReasoning(
  part: JsonObject,
  frame: PartFrame,
  origin: Origin,
  signatures: SignatureReader,
): ThinkingContent | undefined {
  const { type, text, metadata } = part;
  if (type !== "reasoning" || !isString(text)) return undefined;
  const signed = signatures.read(metadata, "thinking", text);
  const block: ThinkingContent = {
    type: "thinking",
    thinking: text,
    ...(signed && { thinkingSignature: signed.signature }),
    ...(signed?.redacted === true ? { redacted: true } : {}),
  };
  return { ...block, ...extWith(differencesOf(part, plainReasoning(block, frame, origin))) };
}

function plainReasoning(block: ThinkingContent, frame: PartFrame, { api, time }: Origin): JsonObject {
  const text = block.thinking;
  return { ...frame, type: "reasoning", text, ...metadataFor(block, api), time: { start: time } };
}

/** Encrypted thinking without a place for it leaves nothing to write. */
function writeReasoning(block: ThinkingContent, frame: PartFrame, origin: Origin): JsonObject | undefined {
  const [ours, notes] = [plainReasoning(block, frame, origin), notesOf(block)];
  const isLost = block.redacted === true && ours["metadata"] === undefined && isEmpty(notes);
  return isLost ? undefined : restore(ours, notes);
}

/** The metadata with a block's signature; empty if it has none, or if the API's signatures have no known place. */
export function metadataFor(block: AssistantContent, api: string): JsonObject {
  const metadata = signatureMetadata(block, api);
  return metadata === undefined ? {} : { metadata };
}

/** opencode sends the text of these files in parts of their own. */
const UNSENT: ReadonlySet<unknown> = new Set(["text/plain", "application/x-directory"]);

/** A file part as a block; undefined if the part is not a file that models are sent. */
export function readMedia(part: JsonObject, frame: PartFrame): MediaContent | undefined {
  const { type, mime, url, filename } = part;
  if (type !== "file" || !isString(mime) || !isString(url) || UNSENT.has(mime)) return undefined;
  const bytes = readDataUrl(url);
  const media = bytes === undefined ? mediaWithUrl(mime, url) : mediaWithData(mime, bytes.data);
  const block = isString(filename) ? { ...media, name: filename } : media;
  return { ...block, ...extWith(differencesOf(part, plainMedia(block, frame))) };
}

function plainMedia(block: MediaContent, frame: PartFrame): JsonObject {
  const name = block.name === undefined ? {} : { filename: block.name };
  return { ...frame, type: "file", mime: mediaTypeOf(block), ...name, url: addressOf(block) };
}

export function writeMedia(block: MediaContent, frame: PartFrame): JsonObject {
  return restore(plainMedia(block, frame), notesOf(block));
}

/** The part of a block; undefined if opencode has none for it. */
export function writePart(
  block: UserContent | Exclude<AssistantContent, ToolCall>,
  frame: PartFrame,
  origin = PROMPT,
): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return restore(plainText(block, frame, origin), notesOf(block));
    case "thinking":
      return writeReasoning(block, frame, origin);
    case "image":
    case "audio":
    case "file":
      return writeMedia(block, frame);
    case "opaque":
      return block.dialect === NAME && isObject(block.value) ? block.value : undefined;
  }
}

export function opaque(value: JsonObject): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}
