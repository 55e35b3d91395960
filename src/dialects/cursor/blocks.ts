import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import { differencesOf } from "../../core/records/differences.js";
import type { AssistantContent, OpaqueContent, TextContent, UserContent } from "../../core/types.js";
import { extWith, notesOf } from "./notes.js";
import { NAME } from "./wire.js";

const OPEN = "<user_query>";
const CLOSE = "</user_query>";

/** The words of the user, and what Cursor puts around them: tags, and sometimes the time. */
export function unwrap(text: string): { text: string; wrap?: [string, string] } {
  const [open, close] = [text.indexOf(OPEN), text.lastIndexOf(CLOSE)];
  if (
    open < 0 ||
    close < open ||
    !isTime(text.slice(0, open)) ||
    text.slice(close + CLOSE.length).trim() !== ""
  ) {
    return { text };
  }
  const first = open + OPEN.length;
  const start = text[first] === "\n" ? first + 1 : first;
  const end = text[close - 1] === "\n" && close > start ? close - 1 : close;
  return { text: text.slice(start, end), wrap: [text.slice(0, start), text.slice(end)] };
}

function isTime(text: string): boolean {
  const time = text.trim();
  return time === "" || (time.startsWith("<timestamp>") && time.endsWith("</timestamp>"));
}

/** The text as Cursor wrote it. */
export function wrapped(text: string, { wrap }: JsonObject): string {
  const [before, after]: unknown[] = Array.isArray(wrap) ? wrap : [];
  return isString(before) && isString(after) ? `${before}${text}${after}` : text;
}

export function readUserBlock(block: unknown): UserContent {
  if (!isObject(block) || block["type"] !== "text" || !isString(block["text"])) return opaque(block);
  const { text, ...wrap } = unwrap(block["text"]);
  const notes = differencesOf(block, { type: "text", text: block["text"] });
  return { type: "text", text, ...extWith({ ...wrap, ...notes }) };
}

/** A block of an answer. `id` identifies a call, because Cursor does not. */
export function readAnswerBlock(block: unknown, id: string): AssistantContent {
  if (!isObject(block)) return opaque(block);
  const { type, text, thinking, name, input } = block;
  if (type === "text" && isString(text)) return noted(block, { type, text });
  if (type === "thinking" && isString(thinking)) return noted(block, { type, thinking });
  if (type === "tool_use" && isString(name) && isObject(input)) {
    const own = isString(block["id"]) ? block["id"] : undefined;
    return noted(block, { type: "toolCall", id: own ?? id, name, arguments: input }, own !== undefined);
  }
  return opaque(block);
}

function noted<B extends Exclude<AssistantContent, OpaqueContent>>(
  written: JsonObject,
  block: B,
  hasId = false,
): B {
  return { ...block, ...extWith(differencesOf(written, plainBlock(block, hasId) ?? {})) };
}

function plainBlock(block: UserContent | AssistantContent, hasId: boolean): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return { type: "thinking", thinking: block.thinking };
    case "toolCall":
      return {
        type: "tool_use",
        ...(hasId ? { id: block.id } : {}),
        name: block.name,
        input: block.arguments,
      };
    default:
      return undefined;
  }
}

/** The block as Cursor wrote it, in a list; none if transcripts have no such block. `hasId`: a call states its id. */
export function writeBlock(block: UserContent | AssistantContent, hasId = false): unknown[] {
  if (block.type === "opaque") return block.dialect === NAME ? [block.value] : [];
  const notes = notesOf(block);
  const plain = plainBlock(block, hasId);
  if (plain === undefined) return [];
  return [restore(block.type === "text" ? writeText(block, notes) : plain, notes)];
}

function writeText({ text }: TextContent, notes: JsonObject): JsonObject {
  return { type: "text", text: wrapped(text, notes) };
}

function opaque(value: unknown): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}
