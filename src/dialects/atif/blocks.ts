import { isObject, type JsonObject } from "../../core/json/value.js";
import { restore, stableDeviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AssistantContent, UserContent } from "../../core/types.js";
import { addNotes, notesOf } from "./notes.js";
import { imageTypeOf, isImageType, NAME } from "./wire.js";

/** The blocks of a `message` or `content`: a string, parts, or nothing. */
export function decodeContent(content: unknown, at: string): UserContent[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) throw unexpected(at, "a string or an array of parts", content);
  return content.map(decodePart);
}

function decodePart(part: unknown): UserContent {
  const block = readPart(part);
  if (block === undefined || !isObject(part)) return { type: "opaque", dialect: NAME, value: part };
  addNotes(block, stableDeviations(part, encodePart(block) ?? {}, { inside: "all", guarded: true }) ?? {});
  return block;
}

function readPart(part: unknown): UserContent | undefined {
  if (!isObject(part)) return undefined;
  const { type, text, source } = part;
  if (type === "text") return typeof text === "string" ? { type, text } : undefined;
  if ((type !== "image" && type !== "audio") || !isObject(source)) return undefined;
  const { media_type: mimeType, path } = source;
  if (typeof mimeType !== "string" || typeof path !== "string") return undefined;
  return type === "image" && !isImageType(mimeType) ? undefined : { type, url: path, mimeType };
}

/** The part without what was noted; undefined if there is none for the block. */
function encodePart(block: UserContent): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio": {
      const { type, url } = block;
      const mediaType = mediaTypeOf(block);
      if (url === undefined || mediaType === undefined) return undefined;
      return { type, source: { media_type: mediaType, path: url } };
    }
    case "file":
    case "opaque":
      return undefined;
  }
}

function mediaTypeOf({ type, url = "", mimeType }: Extract<UserContent, { type: "image" | "audio" }>) {
  if (type === "audio") return mimeType;
  const mediaType = mimeType ?? imageTypeOf(url);
  return mediaType !== undefined && isImageType(mediaType) ? mediaType : undefined;
}

/** The parts that the blocks become. Blocks without a part are left out. */
function encodeParts(blocks: readonly UserContent[]): unknown[] {
  return blocks.flatMap((block) => {
    if (block.type === "opaque") {
      return block.dialect === NAME && readPart(block.value) === undefined ? [block.value] : [];
    }
    const part = encodePart(block);
    return part === undefined ? [] : [restore(part, notesOf(block))];
  });
}

/** A string if the blocks are at most one text, which every version can represent; otherwise parts. */
export function encodeContent(blocks: readonly UserContent[], asParts: boolean): string | unknown[] {
  const parts = encodeParts(blocks);
  const [part, ...others] = parts;
  if (asParts) return parts;
  if (part === undefined) return "";
  const isPlain = isObject(part) && part["type"] === "text" && Object.keys(part).length === 2;
  return isPlain && others.length === 0 && typeof part["text"] === "string" ? part["text"] : parts;
}

/** Whether content is a list although a string could represent it. */
export function isListed(content: unknown): boolean {
  return Array.isArray(content) && !Array.isArray(encodeContent(decodeContent(content, ""), false));
}

export function isContent(block: AssistantContent): block is UserContent {
  return block.type !== "thinking" && block.type !== "toolCall";
}
