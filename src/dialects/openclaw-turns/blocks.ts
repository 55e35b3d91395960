import type { JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import type { AudioContent, ImageContent, TextContent, UserContent } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { dropImplied, withFiles } from "./media.js";
import { NAME, type SessionContent } from "./wire.js";

/** The blocks in a turn's `content`: all but thinking and tool calls. */
export type ContentBlock = UserContent;
type Media = ImageContent | AudioContent;

/** A text block without other fields is the same in the model and in a turn, and is not copied. */
export function isPlainText(block: unknown): block is TextContent {
  if (!isObject(block) || block["type"] !== "text" || typeof block["text"] !== "string") return false;
  for (const key in block) if (key !== "type" && key !== "text") return false;
  return true;
}

/** A tool result's texts as one; undefined if it has none. */
export function textOf(blocks: readonly ContentBlock[]): string | undefined {
  let text: string | undefined;
  for (const block of blocks) {
    if (block.type === "text") text = text === undefined ? block.text : `${text}\n${block.text}`;
  }
  return text;
}

export interface WrittenBlocks {
  content: unknown[];
  mediaUrls?: string[];
  /** See `Marks`. */
  marks?: Record<string, JsonRecord>;
}

export function writeBlocks(blocks: ContentBlock[]): WrittenBlocks {
  if (blocks.every(isPlainText)) return { content: blocks };
  const content: unknown[] = [];
  const mediaUrls: string[] = [];
  const marks: Record<string, JsonRecord> = {};
  for (const [index, block] of blocks.entries()) {
    const { wire, media, extra } = writeBlock(block);
    if (wire !== undefined) content.push(wire);
    if (media !== undefined) mediaUrls.push(media);
    if (Object.keys(extra).length > 0) marks[index] = extra;
  }
  dropImplied(marks, blocks);
  return {
    content,
    ...(mediaUrls.length > 0 ? { mediaUrls } : {}),
    ...(Object.keys(marks).length > 0 ? { marks } : {}),
  };
}

/** The turn's block, if it has one, the URL of a file, and the fields to keep in the marks. */
function writeBlock(block: ContentBlock): { wire?: unknown; media?: string; extra: JsonRecord } {
  if (block.type === "file") {
    if (block.url === undefined) return { extra: block };
    const { url, ...extra } = block;
    return { media: url, extra };
  }
  if (block.type === "opaque") {
    if (block.dialect !== NAME || isText(block.value) || isReadable(block.value)) return { extra: block };
    const { type: _, dialect: _dialect, value, ...extra } = block;
    return { wire: value, extra };
  }
  const { own, ext } = splitExt(block);
  if (block.type === "text") {
    const { type, text, ext: _, ...extra } = block;
    return { wire: { ...own, type, text }, extra: { ...extra, ...ext } };
  }
  const { url, extra } = address(block);
  const source = { ...(isObject(own["source"]) ? own["source"] : {}), type: "url", url };
  return { wire: { ...own, type: block.type, source }, extra: { ...extra, ...ext } };
}

/** Our own notes, which are fields of the turn's block, and the rest of `ext`. */
function splitExt({ ext }: ContentBlock): { own: JsonRecord; ext: JsonRecord } {
  if (ext === undefined) return { own: {}, ext: {} };
  const { [NAME]: own, ...others } = ext;
  return { own: isObject(own) ? own : {}, ext: Object.keys(others).length > 0 ? { ext: others } : {} };
}

function address(block: Media): { url: string; extra: JsonRecord } {
  const { type: _, ext: _ext, ...rest } = block;
  if (rest.url !== undefined) {
    const { url, ...extra } = rest;
    return { url, extra };
  }
  const { data, mimeType, ...extra } = rest;
  return { url: `data:${mimeType};base64,${data}`, extra };
}

/** A turn's blocks, with its marks applied if they fit. `at` is the content's pointer. */
export function readBlocks(
  content: unknown[],
  media: readonly string[],
  marks: unknown,
  at: string,
): ContentBlock[] {
  if (content.every(isPlainText) && marks === undefined && media.length === 0) return content;
  const blocks = content.map((block, index) => readBlock(block, `${at}/${index}`));
  return (isObject(marks) ? applyMarks(blocks, media, marks) : undefined) ?? withFiles(blocks, media);
}

function applyMarks(
  contentBlocks: readonly ContentBlock[],
  media: readonly string[],
  marks: JsonRecord,
): ContentBlock[] | undefined {
  const blocks: ContentBlock[] = [];
  let used = 0;
  let files = 0;
  while (used < contentBlocks.length || Object.hasOwn(marks, blocks.length)) {
    const mark = marks[blocks.length] ?? {};
    if (!isObject(mark)) return undefined;
    const isWhole = Object.hasOwn(mark, "type");
    const url = isWhole && isUnplaced(mark) ? { url: media[files++] } : {};
    const block = isWhole ? { ...mark, ...url } : completed(contentBlocks[used++], mark);
    if (!is("UserContent", block)) return undefined;
    blocks.push(block);
  }
  return withFiles(blocks, media.slice(files));
}

/** A file whose URL is in `mediaUrls`. */
function isUnplaced(mark: JsonRecord): boolean {
  return mark["type"] === "file" && !Object.hasOwn(mark, "url") && !Object.hasOwn(mark, "data");
}

function completed(block: ContentBlock | undefined, mark: JsonRecord): JsonRecord {
  const ext = isObject(mark["ext"]) ? { ext: { ...mark["ext"], ...block?.ext } } : {};
  return { ...block, ...mark, ...ext };
}

function readBlock(block: unknown, at: string): ContentBlock {
  if (isPlainText(block)) return block;
  if (!isReadable(block)) {
    if (!isText(block)) return { type: "opaque", dialect: NAME, value: block };
    throw new DragomanError("model/invalid", "expected a string as the text of a text block", {
      at: "text" in block ? `${at}/text` : at,
    });
  }
  if (block.type === "text") {
    const { type, text, ...own } = block;
    return { type, text, ...ownExt(own) };
  }
  const { type, source, ...own } = block;
  const { type: _, url, ...rest } = source;
  return { type, ...bytesOf(url), ...ownExt(Object.keys(rest).length > 0 ? { ...own, source: rest } : own) };
}

function ownExt(own: JsonRecord) {
  return Object.keys(own).length > 0 ? { ext: { [NAME]: own } } : {};
}

function isText(block: unknown): block is JsonRecord {
  return isObject(block) && block["type"] === "text";
}

/** A block of the format, possibly with other fields. */
function isReadable(block: unknown): block is SessionContent {
  if (!isObject(block)) return false;
  const { type, text, source } = block;
  if (type === "text") return typeof text === "string";
  return (
    (type === "image" || type === "audio") &&
    isObject(source) &&
    source["type"] === "url" &&
    typeof source["url"] === "string"
  );
}

const BASE64 = ";base64,";

/** `data:image/png;base64,AAAA` contains the bytes; any other URL is kept. */
function bytesOf(url: string): { data: string; mimeType: string } | { url: string } {
  const marker = url.startsWith("data:") ? url.indexOf(BASE64) : -1;
  if (marker < 0) return { url };
  return { mimeType: url.slice("data:".length, marker), data: url.slice(marker + BASE64.length) };
}
