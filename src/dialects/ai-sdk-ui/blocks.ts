import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { addressOf, readDataUrl } from "../../core/message/media.js";
import { SignatureReader, signatureMetadata } from "../../core/message/provider-metadata.js";
import {
  hasRelativeUrl,
  isMedia,
  type MediaContent,
  mediaTypeOf,
  mediaWithData,
  mediaWithUrl,
} from "../../core/message/typed-media.js";
import { deviations, restore } from "../../core/records/deviation.js";
import type {
  AssistantContent,
  OpaqueContent,
  TextContent,
  ThinkingContent,
  UserContent,
} from "../../core/types.js";
import { addNotes, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

/** A part of a user or system message. A part without a counterpart in the model is kept as opaque. */
export function decodeUserPart(part: unknown): UserContent {
  return noted(part, decodeText(part, new SignatureReader("")) ?? decodeFile(part), "") ?? opaque(part);
}

/** A part of an answer other than a tool part. */
export function decodeAssistantPart(part: unknown, signatures: SignatureReader): AssistantContent {
  const block = decodeText(part, signatures) ?? decodeReasoning(part, signatures) ?? decodeFile(part);
  return noted(part, block, signatures.api) ?? opaque(part);
}

/**
 * The part of a block; none for a block that only another dialect understands, and none for a file with a relative URL: AI
 * SDK 7 refuses the whole conversation, and version 6 sends the URL to the model as if it were the file's bytes.
 */
export function encodeBlock(block: AssistantContent | UserContent, api: string): unknown[] {
  if (block.type === "opaque")
    return block.dialect === NAME && block.value !== undefined ? [block.value] : [];
  const notes = notesOf(block);
  if (isMedia(block) && hasRelativeUrl(block) && notes["kept"] !== true) return [];
  const ours = partOf(block, api);
  return ours === undefined ? [] : [restore(ours, notes)];
}

/** Our part for the block, without its deviations. Calls are written with their results. */
function partOf(block: AssistantContent | UserContent, api: string): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text, ...signatureOf(block, api) };
    case "thinking":
      return { type: "reasoning", text: block.thinking, ...signatureOf(block, api) };
    case "image":
    case "audio":
    case "file":
      return filePart(block);
    case "toolCall":
    case "opaque":
      return undefined;
  }
}

function filePart(block: MediaContent): JsonObject {
  const filename = block.name === undefined ? {} : { filename: block.name };
  return { type: "file", mediaType: mediaTypeOf(block), ...filename, url: addressOf(block) };
}

function signatureOf(block: TextContent | ThinkingContent, api: string): JsonObject {
  const providerMetadata = signatureMetadata(block, api);
  return providerMetadata === undefined ? {} : { providerMetadata };
}

function decodeText(part: unknown, signatures: SignatureReader): TextContent | undefined {
  if (!isObject(part) || part["type"] !== "text" || !isString(part["text"])) return undefined;
  const signed = signatures.read(part["providerMetadata"], "text");
  const signature = signed === undefined ? {} : { textSignature: signed.signature };
  return { type: "text", text: part["text"], ...signature };
}

function decodeReasoning(part: unknown, signatures: SignatureReader): ThinkingContent | undefined {
  if (!isObject(part) || part["type"] !== "reasoning" || !isString(part["text"])) return undefined;
  const signed = signatures.read(part["providerMetadata"], "thinking", part["text"]);
  return {
    type: "thinking",
    thinking: part["text"],
    ...(signed === undefined ? {} : { thinkingSignature: signed.signature }),
    ...(signed?.redacted === true ? { redacted: true } : {}),
  };
}

function decodeFile(part: unknown): MediaContent | undefined {
  if (!isObject(part) || part["type"] !== "file") return undefined;
  const { mediaType, url, filename } = part;
  if (!isString(mediaType) || !isString(url)) return undefined;
  const bytes = readDataUrl(url);
  const block = bytes === undefined ? mediaWithUrl(mediaType, url) : mediaWithData(mediaType, bytes.data);
  return isString(filename) ? { ...block, name: filename } : block;
}

/** The block with the part's deviations from ours. */
function noted<B extends AssistantContent | UserContent>(
  part: unknown,
  block: B | undefined,
  api: string,
): B | undefined {
  const ours = block === undefined ? undefined : partOf(block, api);
  if (block === undefined || ours === undefined || !isObject(part)) return undefined;
  addNotes(block, deviations(part, ours, { inside: "all" }) ?? {});
  if (isMedia(block) && hasRelativeUrl(block)) addNotes(block, { kept: true });
  return block;
}

function opaque(value: unknown): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}

/** The text of content that is one text part without other fields. */
export function plainText(content: readonly { type: string }[]): string | undefined {
  const [first, ...others] = content;
  if (first === undefined || others.length > 0 || first.type !== "text") return undefined;
  const { type: _, text, ...rest } = first as TextContent;
  return isEmpty(rest) ? text : undefined;
}
