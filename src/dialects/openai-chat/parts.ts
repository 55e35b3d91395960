import { isObject, type JsonObject } from "../../core/json/value.js";
import { imageDetail } from "../../core/message/image-detail.js";
import { addressOf } from "../../core/message/media.js";
import type { ImageContent, OpaqueContent, UserContent } from "../../core/types.js";
import { deviation, notesOf, opaqueIn, opaqueOf, restoreNoted, withNotes } from "./notes.js";
import type { ContentPart } from "./wire.js";

const audioFormats: Readonly<Record<string, "wav" | "mp3">> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

const audioTypes: Readonly<Record<string, string>> = { wav: "audio/wav", mp3: "audio/mpeg" };

/** A block as a content part; undefined if the API cannot represent it. */
export function writePart(block: UserContent): JsonObject | undefined {
  if (block.type === "opaque") return opaqueOf(block, "content");
  const part = plainPart(block);
  return part === undefined ? undefined : restoreNoted(part, notesOf(block));
}

function plainPart(block: Exclude<UserContent, { type: "opaque" }>): ContentPart | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image_url", image_url: { url: addressOf(block), ...imageDetail(block) } };
    case "audio": {
      const format = audioFormats[block.mimeType ?? ""];
      if (block.data === undefined || format === undefined) return undefined;
      return { type: "input_audio", input_audio: { data: block.data, format } };
    }
    case "file": {
      if (block.data === undefined) return undefined;
      const named = block.name === undefined ? {} : { filename: block.name };
      return { type: "file", file: { file_data: addressOf(block), ...named } };
    }
  }
}

/** Why `writePart` returned undefined. */
export function whyUnsupported(block: UserContent): string {
  switch (block.type) {
    case "audio":
      return "Chat Completions accepts audio only as WAV or MP3 bytes";
    case "file":
      return "Chat Completions accepts files as bytes, not by URL";
    case "opaque":
      return `only ${block.dialect} understands it`;
    default:
      return "Chat Completions has no field for it";
  }
}

/** Reads a content part. Unknown parts are kept unchanged. */
export function readPart(part: JsonObject): UserContent {
  const block = knownPart(part);
  const written = block === undefined ? undefined : writePart(block);
  if (block === undefined || written === undefined) return opaqueIn("content", part);
  return withNotes(block, deviation(part, written));
}

function knownPart({ type, text, image_url, input_audio, file }: JsonObject): UserContent | undefined {
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "image_url" && isObject(image_url) && typeof image_url["url"] === "string") {
    return { ...readImage(image_url["url"]), ...imageDetail(image_url) };
  }
  if (type === "input_audio" && isObject(input_audio)) {
    const { data, format } = input_audio;
    const mimeType = typeof format === "string" ? audioTypes[format] : undefined;
    if (typeof data === "string" && mimeType !== undefined) return { type: "audio", data, mimeType };
  }
  if (type === "file" && isObject(file) && typeof file["file_data"] === "string") {
    const bytes = readDataUrl(file["file_data"]);
    const { filename } = file;
    if (bytes === undefined) return undefined;
    return { type, ...bytes, ...(typeof filename === "string" ? { name: filename } : {}) };
  }
  return undefined;
}

function readImage(url: string): ImageContent {
  return { type: "image", ...(readDataUrl(url) ?? { url }) };
}

/** An image that a model generated: `{"type":"image_url","image_url":{"url":"data:…"}}`. */
export function readAnswerImage(image: JsonObject): ImageContent | OpaqueContent {
  const { image_url } = image;
  const url = isObject(image_url) ? image_url["url"] : undefined;
  return typeof url === "string" ? readImage(url) : opaqueIn("content", image);
}

function readDataUrl(url: string): { data: string; mimeType: string } | undefined {
  const head = /^data:([^;,]+);base64,/.exec(url);
  if (head?.[1] === undefined) return undefined;
  return { data: url.slice(head[0].length), mimeType: head[1] };
}
