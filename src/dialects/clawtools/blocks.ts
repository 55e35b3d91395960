import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { imageDetail } from "../../core/message/image-detail.js";
import { withFields } from "../../core/records/deviation.js";
import type {
  AssistantContent,
  ImageContent,
  OpaqueContent,
  ToolCall,
  UserContent,
} from "../../core/types.js";
import { is } from "../../core/validate.js";
import { extWith, notesOf } from "./notes.js";
import {
  hasType,
  type ImageUrlBlock,
  isImageUrl,
  isResultImage,
  isResultText,
  NAME,
  type ResultBlock,
} from "./wire.js";

/** A block that does not fit its type is kept as opaque; it is never an error. */
export function userBlock(block: unknown): UserContent {
  if (isImageUrl(block)) return imageOf(block);
  const read = ownFields(block);
  return read !== undefined && is("UserContent", read) ? read : opaque(block);
}

export function assistantBlock(block: unknown): AssistantContent {
  if (isImageUrl(block)) return imageOf(block);
  const read = ownFields(block);
  if (read !== undefined && is("AssistantContent", read)) return read;
  return rawCall(block) ?? opaque(block);
}

/** A tool result's block has no other fields; any that exist are noted. */
export function resultBlock(block: unknown): UserContent {
  if (isResultText(block)) {
    const { type, text, ...fields } = block;
    return { type, text, ...extWith({ fields }) };
  }
  if (isResultImage(block)) {
    const { type, data, mimeType, ...fields } = block;
    return { type, data, mimeType, ...extWith({ fields }) };
  }
  return opaque(block);
}

/** A block of a user or assistant message as it is written; none for another dialect's opaque block. */
export function writeBlock(block: UserContent | AssistantContent): unknown[] {
  if (block.type === "opaque") return block.dialect === NAME ? [block.value] : [];
  const notes = notesOf(block);
  if (block.type === "image" && notes["plainImage"] !== true) return [imageUrl(block, notes)];
  const { ext: _, ...own } = block;
  const written: JsonObject = withFields(own, notes["fields"]);
  if (block.type !== "toolCall" || !Object.hasOwn(notes, "arguments")) return [written];
  const { argumentsError: __, ...call } = written;
  return [{ ...call, arguments: notes["arguments"] }];
}

/** The same for a tool result, which cannot contain images by URL either. */
export function writeResultBlock(block: UserContent): unknown[] {
  const written = plainResult(block);
  if (written !== undefined) return [withFields(written, notesOf(block)["fields"])];
  return block.type === "opaque" && block.dialect === NAME ? [block.value] : [];
}

function plainResult(block: UserContent): ResultBlock | undefined {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type !== "image" || block.data === undefined) return undefined;
  return { type: "image", data: block.data, mimeType: block.mimeType };
}

/** The block with its own `ext` field and the form of an image moved into the notes; not validated. */
function ownFields(block: unknown): JsonObject | undefined {
  if (!isObject(block) || block["type"] === "opaque") return undefined;
  const { ext, ...own } = block;
  const notes = {
    ...(Object.hasOwn(block, "ext") ? { fields: { ext } } : {}),
    ...(block["type"] === "image" ? { plainImage: true } : {}),
  };
  return { ...own, ...extWith(notes) };
}

function opaque(value: unknown): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}

/** A call with unparsed arguments is still a call: its result refers to it. */
function rawCall(block: unknown): ToolCall | undefined {
  if (!hasType(block, "toolCall") || !isString(block["id"]) || !isString(block["name"])) return undefined;
  const { type: _, id, name, arguments: raw, ...others } = block;
  if (raw === undefined || isObject(raw) || Object.keys(others).length > 0) return undefined;
  const argumentsError = "the arguments are not an object";
  return { type: "toolCall", id, name, arguments: {}, argumentsError, ...extWith({ arguments: raw }) };
}

// The MIME type is everything up to the last `;base64` before the comma, so that the round trip is exact.
const DATA_URL = /^data:([^,]*);base64,(.*)$/s;

function imageOf({ type: _, image_url: { url, ...others }, ...fields }: ImageUrlBlock): ImageContent {
  const { detail: _detail, ...rest } = others;
  const how = imageDetail(others);
  const beside = how.detail === undefined ? others : rest;
  const more = { ...how, ...extWith({ fields, imageUrl: isEmpty(beside) ? undefined : beside }) };
  const [, mimeType, data] = DATA_URL.exec(url) ?? [];
  if (mimeType === undefined || data === undefined) return { type: "image", url, ...more };
  return { type: "image", data, mimeType, ...more };
}

function imageUrl(image: ImageContent, { fields, imageUrl: beside }: JsonObject): JsonObject {
  const url = image.data === undefined ? image.url : `data:${image.mimeType};base64,${image.data}`;
  return withFields(
    { type: "image_url", image_url: withFields({ ...imageDetail(image), url }, beside) },
    fields,
  );
}
