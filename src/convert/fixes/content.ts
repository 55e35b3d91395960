import type { Api } from "../../core/api/provider.js";
import { plainCopy } from "../../core/json/plain-copy.js";
import { formatPointer, resolvePointer } from "../../core/json/pointer.js";
import { isObject, setOwn } from "../../core/json/value.js";
import { typeOfBytes } from "../../core/message/media.js";
import { blocksOf, isModelMessage, type ModelMessage } from "../meaning/blocks.js";
import { brokenTexts, wholeText } from "../meaning/surrogates.js";
import { acceptsContent, acceptsText } from "../provider-rules/accepts.js";
import type { Item } from "./items.js";
import type { Change, Journal } from "./journal.js";

interface Edit extends Pick<Change, "code" | "what" | "before" | "after"> {
  path: readonly (string | number)[];
}

/** Corrects problems inside messages; no message is added or removed. */
export function fixContent(items: readonly Item[], journal: Journal, api?: Api): Item[] {
  return items.map((item) => {
    if (!isModelMessage(item.message)) return item;
    const types = [...mimeTypes(item.message)];
    const replaced = new Set(types.map(({ path }) => formatPointer(path)));
    const texts = api === undefined ? [] : [...wholeTexts(item.message, api)];
    const edits = [...types, ...texts.filter(({ path }) => !replaced.has(formatPointer(path)))];
    const blanks = api === undefined ? [] : [...blankBlocks(item.message, api)];
    if (edits.length === 0 && blanks.length === 0) return item;
    for (const { path, ...change } of [...edits, ...blanks]) journal.change(item.source, path, change);
    // A JSON copy: notes can share values with the content, and they state what it was.
    const message: ModelMessage = plainCopy(item.message) ?? JSON.parse(JSON.stringify(item.message));
    for (const { path, after } of edits) put(message, path, after);
    for (const { path } of blanks.reverse()) {
      if (typeof message.content !== "string") message.content.splice(Number(path[1]), 1);
    }
    return { ...item, message };
  });
}

/** Drops the messages that the API would refuse as empty. */
export function dropEmpty(items: readonly Item[], journal: Journal, api: Api): Item[] {
  return items.filter(({ message, source }) => {
    if (!isModelMessage(message)) return true;
    const isBlank = typeof message.content === "string" && !acceptsText(message.content, api);
    if (!isBlank && acceptsContent(message, api)) return true;
    const code = `${api.dialect}/${isBlank ? "blank-text" : "empty-message"}`;
    journal.change(source, [], { code, what: `removed an empty ${message.role} message`, before: message });
    return false;
  });
}

function* mimeTypes(message: ModelMessage): Generator<Edit> {
  for (const { block, path } of blocksOf(message)) {
    if (!("mimeType" in block) || block.data === undefined) continue;
    const type = typeOfBytes(block.data);
    if (type === undefined || type === block.mimeType.toLowerCase()) continue;
    yield {
      path: [...path, "mimeType"],
      code: "content/mime-mismatch",
      what: `corrected the MIME type to that of the bytes, ${type}`,
      before: block.mimeType,
      after: type,
    };
  }
}

function* wholeTexts(message: ModelMessage, api: Api): Generator<Edit> {
  if (api.rules.acceptsLoneSurrogates) return;
  // A call's name is part of its content; the result's tool name must match it.
  const names = message.role === "toolResult" ? brokenTexts(message.toolName, ["toolName"]) : [];
  for (const path of [...names, ...brokenTexts(message.content, ["content"])]) {
    const before = resolvePointer(message, formatPointer(path));
    if (typeof before !== "string") continue;
    const what = "replaced half of a character with U+FFFD";
    yield { path, code: `${api.dialect}/lone-surrogate`, what, before, after: wholeText(before) };
  }
}

function* blankBlocks(message: ModelMessage, api: Api): Generator<Edit> {
  for (const { block, path } of blocksOf(message)) {
    if (block.type !== "text" || acceptsText(block.text, api)) continue;
    yield { path, code: `${api.dialect}/blank-text`, what: "removed a blank text block", before: block };
  }
}

function put(message: ModelMessage, path: readonly (string | number)[], value: unknown): void {
  const parent = resolvePointer(message, formatPointer(path.slice(0, -1)));
  const key = String(path.at(-1));
  if (isObject(parent)) setOwn(parent, key, value);
  else if (Array.isArray(parent)) parent[Number(key)] = value;
}
