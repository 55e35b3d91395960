import { isObject, type JsonObject } from "../../core/json/value.js";
import { imageDetail } from "../../core/message/image-detail.js";
import { addressOf } from "../../core/message/media.js";
import { deviations, restore } from "../../core/records/deviation.js";
import type { FileContent, ImageContent, TextContent, UserContent } from "../../core/types.js";
import { notesOf, withNotes } from "./notes.js";
import { type InputFile, type InputPart, NAME, objectAt } from "./wire.js";

type KnownBlock = TextContent | ImageContent | FileContent;

/** The default image detail. */
const DETAIL = "auto";
const DATA_URL = /^data:([^,]*);base64,([\s\S]*)$/;

/** Reads a part of a user message, a system message or a tool result. */
export function readPart(value: unknown, at: string): UserContent {
  const part = objectAt(value, at);
  const block = readKnownPart(part);
  if (block === undefined) return { type: "opaque", dialect: NAME, value: part };
  return withNotes(block, { ...deviations(part, plainPart(block)) });
}

/** Undefined for blocks that the API cannot represent: audio, and other dialects' opaque blocks. */
export function writePart(block: UserContent): JsonObject | undefined {
  if (block.type === "opaque") return ownValue(block);
  return block.type === "audio" ? undefined : restore(plainPart(block), notesOf(block));
}

/** The value of an opaque block of this dialect. */
export function ownValue(block: { dialect: string; value: unknown }): JsonObject | undefined {
  return block.dialect === NAME && isObject(block.value) ? block.value : undefined;
}

function readKnownPart(part: JsonObject): KnownBlock | undefined {
  const { type, text, image_url, detail, file_data, file_url, filename } = part;
  if (type === "input_text" && typeof text === "string") return { type: "text", text };
  if (type === "input_image" && typeof image_url === "string") {
    return { type: "image", ...bytesOf(image_url), ...(detail === DETAIL ? {} : imageDetail({ detail })) };
  }
  if (type !== "input_file") return undefined;
  const name = typeof filename === "string" ? { name: filename } : {};
  if (typeof file_data === "string") {
    const bytes = bytesOf(file_data);
    return "data" in bytes ? { type: "file", ...bytes, ...name } : undefined;
  }
  return typeof file_url === "string" ? { type: "file", url: file_url, ...name } : undefined;
}

function bytesOf(url: string): { data: string; mimeType: string } | { url: string } {
  const [, mimeType, data] = DATA_URL.exec(url) ?? [];
  return mimeType === undefined || data === undefined ? { url } : { data, mimeType };
}

function plainPart(block: KnownBlock): InputPart {
  switch (block.type) {
    case "text":
      return { type: "input_text", text: block.text };
    case "image":
      return { type: "input_image", image_url: addressOf(block), detail: block.detail ?? DETAIL };
    case "file":
      return plainFile(block);
  }
}

function plainFile(block: FileContent): InputFile {
  const filename = block.name === undefined ? {} : { filename: block.name };
  return block.data === undefined
    ? { type: "input_file", file_url: block.url, ...filename }
    : { type: "input_file", file_data: addressOf(block), ...filename };
}
