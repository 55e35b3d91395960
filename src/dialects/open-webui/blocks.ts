import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { addressOf, readDataUrl } from "../../core/message/media.js";
import { deviations, restore, sorted } from "../../core/records/deviation.js";
import type { AssistantContent, UserContent } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

type Block = UserContent | AssistantContent;
type Media = Extract<UserContent, { type: "image" | "file" | "audio" }>;

/** The bytes in a data URL, or the address. */
function bytesAt(url: string): { data: string; mimeType: string } | { url: string } {
  return readDataUrl(url) ?? { url };
}

/** An image part of a tool result. */
export function imageAt(url: string): UserContent {
  return { type: "image", ...bytesAt(url) };
}

/** A member of a message's `files`. */
export function readFile(value: unknown): UserContent {
  if (isObject(value) && isString(value["url"]) && (value["type"] === "image" || value["type"] === "file")) {
    const { type, url, name } = value;
    const block: Media = { type, ...bytesAt(url), ...(isString(name) ? { name } : {}) };
    return { ...block, ...extWith({ ...sorted(deviations(value, ourFile(block))) }) };
  }
  return { type: "opaque", dialect: NAME, value };
}

/** The file that a block becomes; none for text and for other dialects' blocks. */
export function writeFile(block: Block): unknown[] {
  if (block.type === "opaque") return block.dialect === NAME ? [block.value] : [];
  if (block.type !== "image" && block.type !== "file" && block.type !== "audio") return [];
  return [restore(ourFile(block), notesOf(block))];
}

function ourFile(block: Media): JsonObject {
  const { type, name } = block;
  return {
    type: type === "image" ? type : "file",
    url: addressOf(block),
    ...(name === undefined ? {} : { name }),
  };
}
