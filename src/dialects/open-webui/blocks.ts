import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { deviations, restore, sorted } from "../../core/records/deviation.js";
import type { AssistantContent, UserContent } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

type Block = UserContent | AssistantContent;
type Media = Extract<UserContent, { type: "image" | "file" | "audio" }>;

// The MIME type is everything up to the last `;base64` before the comma, so that the round trip is exact.
const DATA_URL = /^data:([^,]*);base64,(.*)$/s;

/** Bytes or an address, as a URL says it. */
function bytesAt(url: string): { data: string; mimeType: string } | { url: string } {
  const [, mimeType, data] = DATA_URL.exec(url) ?? [];
  return mimeType === undefined || data === undefined ? { url } : { data, mimeType };
}

export function urlOf(block: {
  data?: string | undefined;
  mimeType?: string | undefined;
  url?: string | undefined;
}): string {
  return block.url ?? `data:${block.mimeType ?? ""};base64,${block.data ?? ""}`;
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
    url: urlOf(block),
    ...(name === undefined ? {} : { name }),
  };
}
