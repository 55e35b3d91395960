import { formatPointer, resolvePointer } from "../../core/json/pointer.js";
import { isObject, setOwn } from "../../core/json/value.js";
import { typeOfBytes } from "../../core/media.js";
import { blocksOf, isSpoken, type Spoken } from "../meaning/blocks.js";
import { brokenTexts, wholeText } from "../meaning/surrogates.js";
import { takesContent, takesText } from "../provider-rules/judge.js";
import type { ProviderRules } from "../provider-rules/rules.js";
import type { Item } from "./items.js";
import type { Change, Journal } from "./journal.js";

interface Edit extends Pick<Change, "code" | "what" | "before" | "after"> {
  path: readonly (string | number)[];
}

/** Corrects what is wrong inside of messages; none is added or removed. */
export function fixContent(items: readonly Item[], journal: Journal, rules?: ProviderRules): Item[] {
  return items.map((item) => {
    if (!isSpoken(item.message)) return item;
    const types = [...mimeTypes(item.message)];
    const replaced = new Set(types.map(({ path }) => formatPointer(path)));
    const texts = rules === undefined ? [] : [...wholeTexts(item.message, rules)];
    const edits = [...types, ...texts.filter(({ path }) => !replaced.has(formatPointer(path)))];
    const blanks = rules === undefined ? [] : [...blankBlocks(item.message, rules)];
    if (edits.length === 0 && blanks.length === 0) return item;
    for (const { path, ...change } of [...edits, ...blanks]) journal.change(item.source, path, change);
    const message = structuredClone(item.message);
    for (const { path, after } of edits) put(message, path, after);
    for (const { path } of blanks.reverse()) {
      if (typeof message.content !== "string") message.content.splice(Number(path[1]), 1);
    }
    return { ...item, message };
  });
}

/** Leaves out the messages that the API would refuse for having nothing in them. */
export function dropEmpty(items: readonly Item[], journal: Journal, rules: ProviderRules): Item[] {
  return items.filter(({ message, source }) => {
    if (!isSpoken(message)) return true;
    const isBlank = typeof message.content === "string" && !takesText(message.content, rules);
    if (!isBlank && takesContent(message, rules)) return true;
    const code = `${rules.name}/${isBlank ? "blank-text" : "empty-message"}`;
    journal.change(source, [], { code, what: `left out an empty ${message.role} message`, before: message });
    return false;
  });
}

function* mimeTypes(message: Spoken): Generator<Edit> {
  for (const { block, path } of blocksOf(message)) {
    if (!("mimeType" in block) || block.data === undefined) continue;
    const type = typeOfBytes(block.data);
    if (type === undefined || type === block.mimeType.toLowerCase()) continue;
    yield {
      path: [...path, "mimeType"],
      code: "content/mime-mismatch",
      what: `wrote the mime type that the bytes have, ${type}`,
      before: block.mimeType,
      after: type,
    };
  }
}

function* wholeTexts(message: Spoken, rules: ProviderRules): Generator<Edit> {
  if (rules.takesLoneSurrogates) return;
  // The name of a call is among its content; the result has to follow.
  const names = message.role === "toolResult" ? brokenTexts(message.toolName, ["toolName"]) : [];
  for (const path of [...names, ...brokenTexts(message.content, ["content"])]) {
    const before = resolvePointer(message, formatPointer(path));
    if (typeof before !== "string") continue;
    const what = "replaced half of a character with U+FFFD";
    yield { path, code: `${rules.name}/lone-surrogate`, what, before, after: wholeText(before) };
  }
}

function* blankBlocks(message: Spoken, rules: ProviderRules): Generator<Edit> {
  for (const { block, path } of blocksOf(message)) {
    if (block.type !== "text" || takesText(block.text, rules)) continue;
    yield { path, code: `${rules.name}/blank-text`, what: "left out a blank text block", before: block };
  }
}

function put(message: Spoken, path: readonly (string | number)[], value: unknown): void {
  const parent = resolvePointer(message, formatPointer(path.slice(0, -1)));
  const key = String(path.at(-1));
  if (isObject(parent)) setOwn(parent, key, value);
  else if (Array.isArray(parent)) parent[Number(key)] = value;
}
