import { fnv1aHex } from "../../core/hash.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AssistantContent, ImageContent, OpaqueContent, UserContent } from "../../core/types.js";
import { addNotes, notesOf } from "./notes.js";
import { API, NAME } from "./wire.js";

/** The blocks of a line's content; `at` is its pointer. */
export function blocksIn(content: unknown, at: string): JsonObject[] {
  if (!Array.isArray(content)) throw unexpected(at, "text or a list of blocks", content);
  const blocks: JsonObject[] = [];
  for (const block of content) {
    if (!isObject(block)) throw unexpected(`${at}/${blocks.length}`, "a block", block);
    blocks.push(block);
  }
  return blocks;
}

/** A block of an answer. One that the model cannot represent stays as it is. */
export function readAnswerBlock(wire: JsonObject): AssistantContent {
  const block = knownAnswerBlock(wire);
  return block === undefined ? opaque(wire) : noted(wire, block, plainAnswerBlock(block));
}

function knownAnswerBlock(wire: JsonObject): AssistantContent | undefined {
  const { type, text, thinking, signature = "", data, id, name, input } = wire;
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "thinking" && typeof thinking === "string" && typeof signature === "string") {
    return signature === "" ? { type, thinking } : { type, thinking, thinkingSignature: signature };
  }
  if (type === "redacted_thinking" && typeof data === "string") {
    return { type: "thinking", thinking: "", redacted: true, thinkingSignature: data };
  }
  if (type === "tool_use" && typeof id === "string" && typeof name === "string" && isObject(input)) {
    return { type: "toolCall", id, name, arguments: input };
  }
  return undefined;
}

/** Undefined for a block that Claude Code would not accept. `api` is the one that the answer came through. */
export function writeAnswerBlock(block: AssistantContent, api: string): JsonObject | undefined {
  if (block.type === "opaque") return ownValue(block);
  const notes = notesOf(block);
  const isSigned = block.type === "thinking" && api === API && (block.thinkingSignature ?? "") !== "";
  const needsMark = block.type === "thinking" ? !isSigned : block.type === "text" && block.text === "";
  if (needsMark && notes["kept"] !== true) return undefined;
  const plain = plainAnswerBlock(block);
  return plain === undefined ? undefined : restore(plain, notes);
}

function plainAnswerBlock(block: AssistantContent): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return block.redacted === true
        ? { type: "redacted_thinking", data: block.thinkingSignature ?? "" }
        : { type: "thinking", thinking: block.thinking, signature: block.thinkingSignature ?? "" };
    case "toolCall":
      return { type: "tool_use", id: callId(block.id), name: block.name, input: block.arguments };
    case "image":
    case "audio":
    case "file":
    case "opaque":
      return undefined;
  }
}

/** A block of a user's message or of a result. */
export function readUserBlock(wire: JsonObject): UserContent {
  const block = knownUserBlock(wire);
  return block === undefined ? opaque(wire) : noted(wire, block, plainUserBlock(block));
}

function knownUserBlock(wire: JsonObject): UserContent | undefined {
  const { type, text, source } = wire;
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "image" && isObject(source)) return readImage(source);
  if (type === "document" && isObject(source)) return readPdf(source);
  return undefined;
}

export function writeUserBlock(block: UserContent): JsonObject | undefined {
  if (block.type === "opaque") return ownValue(block);
  const plain = plainUserBlock(block);
  return plain === undefined ? undefined : restore(plain, notesOf(block));
}

function plainUserBlock(block: UserContent): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", source: sourceOf(block) };
    case "file":
      if (block.data === undefined || block.mimeType !== PDF) return undefined;
      return { type: "document", source: { type: "base64", media_type: PDF, data: block.data } };
    case "audio":
    case "opaque":
      return undefined;
  }
}

/** The blocks that can be written. */
export function writeBlocks<B>(
  content: readonly B[],
  write: (block: B) => JsonObject | undefined,
): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const block of content) {
    const written = write(block);
    if (written !== undefined) blocks.push(written);
  }
  return blocks;
}

const PDF = "application/pdf";

function readImage({ type, media_type: mimeType, data, url }: JsonObject): ImageContent | undefined {
  if (type === "url" && typeof url === "string") return { type: "image", url };
  const isBytes = type === "base64" && typeof mimeType === "string" && typeof data === "string";
  return isBytes ? { type: "image", data, mimeType } : undefined;
}

function readPdf({ type, media_type: mimeType, data }: JsonObject): UserContent | undefined {
  const isBytes = type === "base64" && mimeType === PDF && typeof data === "string";
  return isBytes ? { type: "file", data, mimeType: PDF } : undefined;
}

function sourceOf(image: ImageContent): JsonObject {
  return image.url === undefined
    ? { type: "base64", media_type: image.mimeType, data: image.data }
    : { type: "url", url: image.url };
}

/** The block with notes on how it was written. */
function noted<B extends AssistantContent | UserContent>(wire: JsonObject, block: B, plain?: JsonObject): B {
  // A call's id may be replaced by a repair, which a note must not undo.
  addNotes(block, differencesOf(wire, plain ?? {}, block.type === "toolCall"));
  const isEmpty = block.type === "text" && block.text === "";
  const isUnsigned = block.type === "thinking" && (block.thinkingSignature ?? "") === "";
  if (isEmpty || isUnsigned) addNotes(block, { kept: true });
  return block;
}

const CALL_ID = /^[A-Za-z0-9_-]+$/;

/** The id of a call as the API accepts it. Different ids stay different. */
export function callId(id: string): string {
  return CALL_ID.test(id) ? id : `${id.replace(/[^A-Za-z0-9_-]/g, "_")}_${fnv1aHex(id)}`;
}

function opaque(value: JsonObject): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}

function ownValue({ dialect, value }: OpaqueContent): JsonObject | undefined {
  return dialect === NAME && isObject(value) ? value : undefined;
}
