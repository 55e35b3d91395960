import { parseArguments } from "../../core/json/arguments.js";
import { hasExactly, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { imageDetail } from "../../core/message/image-detail.js";
import { addressOf, readDataUrl } from "../../core/message/media.js";
import { readReasoning, readSignature, writeSignature } from "../../core/message/responses-signatures.js";
import { restore } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AssistantContent,
  OpaqueContent,
  TextContent,
  ThinkingContent,
  ToolCall,
  UserContent,
} from "../../core/types.js";
import { guardedDifferences, notesOf, withNotes } from "./notes.js";
import { isMessageItem, NAME } from "./wire.js";

/** The parts of a message or a result; `at` is their pointer. */
export function partsIn(content: unknown, at: string): JsonObject[] {
  if (!Array.isArray(content)) throw unexpected(at, "a list of parts", content);
  const parts: JsonObject[] = [];
  for (const part of content) {
    if (!isObject(part)) throw unexpected(`${at}/${parts.length}`, "a part", part);
    parts.push(part);
  }
  return parts;
}

/** The parts of a user's message, a developer's message or a result. */
export function readParts(parts: readonly JsonObject[]): UserContent[] {
  // Not `map`: arrays of a conversion have one kind (decision 410).
  const blocks: UserContent[] = [];
  for (const part of parts) blocks.push(readPart(part));
  return blocks;
}

function readPart(part: JsonObject): UserContent {
  const block = knownPart(part);
  if (block === undefined) return opaque(part);
  return withNotes(block, guardedDifferences(part, plainPart(block) ?? {}));
}

function knownPart({ type, text, image_url, detail, audio_url }: JsonObject): UserContent | undefined {
  if (type === "input_text" && isString(text)) return { type: "text", text };
  if (type === "input_image" && isString(image_url)) {
    return { type: "image", ...(readDataUrl(image_url) ?? { url: image_url }), ...imageDetail({ detail }) };
  }
  if (type === "input_audio" && isString(audio_url)) {
    return { type: "audio", ...(readDataUrl(audio_url) ?? { url: audio_url }) };
  }
  return undefined;
}

/** Undefined for a block that a message cannot contain. */
function writePart(block: UserContent): JsonObject | undefined {
  if (block.type === "opaque") return ownValue(block);
  const plain = plainPart(block);
  return plain === undefined ? undefined : restore(plain, notesOf(block));
}

function plainPart(block: UserContent): JsonObject | undefined {
  switch (block.type) {
    case "text":
      return { type: "input_text", text: block.text };
    case "image":
      return {
        type: "input_image",
        image_url: addressOf(block),
        ...(block.detail === undefined ? {} : { detail: block.detail }),
      };
    case "audio":
      return { type: "input_audio", audio_url: addressOf(block) };
    case "file":
    case "opaque":
      return undefined;
  }
}

/** The parts that can be written. */
export function writeParts(content: readonly UserContent[]): JsonObject[] {
  const parts: JsonObject[] = [];
  for (const block of content) {
    const part = writePart(block);
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

/** The blocks of one item of an answer; `at` is its pointer. Items that the model cannot represent stay as they are. */
export function readItem(item: JsonObject, at: string): AssistantContent[] {
  if (isMessageItem(item)) return readAnswerParts(item, at);
  const block = item["type"] === "reasoning" ? readThinking(item) : readCall(item);
  return [block ?? opaque(item)];
}

function readAnswerParts(item: JsonObject, at: string): AssistantContent[] {
  const parts = partsIn(item["content"], `${at}/content`);
  if (parts.length === 0) return [opaque(item)];
  const blocks: AssistantContent[] = [];
  for (const part of parts) blocks.push(readAnswerPart(part, item, blocks.length === 0));
  return blocks;
}

function readAnswerPart(part: JsonObject, item: JsonObject, isFirst: boolean): AssistantContent {
  const { type, text } = part;
  const joined = isFirst ? {} : { joins: true };
  if (type !== "output_text" || !isString(text)) return withNotes(opaque(part), { ...joined, part: true });
  const block: TextContent = { type: "text", text, ...(isFirst ? textSignature(item) : {}) };
  return withNotes(block, { ...guardedDifferences(part, plainText(text)), ...joined });
}

/** The id and phase of a message item, in the form in which the Responses API gets them back. */
function textSignature({ id, phase }: JsonObject): { textSignature?: string } {
  if (!isString(id)) return {};
  return { textSignature: writeSignature({ id, ...(isString(phase) ? { phase } : {}) }) };
}

function plainText(text: string): JsonObject {
  return { type: "output_text", text };
}

function readThinking({
  type,
  id,
  summary,
  content,
  encrypted_content: encrypted,
}: JsonObject): ThinkingContent {
  const thinking = textsIn(summary) || textsIn(content);
  if (!isString(encrypted) || encrypted === "") return { type: "thinking", thinking };
  const signed = { type, ...(isString(id) ? { id } : {}), summary, encrypted_content: encrypted };
  return { type: "thinking", thinking, thinkingSignature: JSON.stringify(signed) };
}

function textsIn(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  const texts: string[] = [];
  for (const part of parts) if (isObject(part) && isString(part["text"])) texts.push(part["text"]);
  return texts.join("\n\n");
}

const SHELL = "local_shell";

function readCall(item: JsonObject): ToolCall | undefined {
  const { type, call_id: id, name, arguments: given, input, action } = item;
  if (!isString(id)) return undefined;
  if (type === "local_shell_call" && isObject(action)) {
    const call: ToolCall = { type: "toolCall", id, name: SHELL, arguments: action };
    return withNotes(call, { form: "shell" });
  }
  if (!isString(name)) return undefined;
  if (type === "custom_tool_call" && isString(input)) {
    const call: ToolCall = { type: "toolCall", id, name, arguments: { input } };
    return withNotes(call, { form: "custom" });
  }
  if (type !== "function_call") return undefined;
  const read = isObject(given) ? { arguments: given } : parseArguments(isString(given) ? given : "");
  return { type: "toolCall", id, name, ...read };
}

/** An item of an answer, and its text if it is a message. */
export interface WrittenItem {
  payload: JsonObject;
  text?: string;
}

/** The items of an answer. Blocks that it cannot contain are left out. */
export function writeItems(content: readonly AssistantContent[]): WrittenItem[] {
  const items: WrittenItem[] = [];
  for (const block of content) {
    const part = answerPart(block);
    if (part === undefined) {
      const payload = plainItem(block);
      if (payload !== undefined) items.push({ payload });
      continue;
    }
    const last = notesOf(block)["joins"] === true ? items.at(-1) : undefined;
    const text = block.type === "text" ? block.text : "";
    if (last?.text !== undefined && Array.isArray(last.payload["content"])) {
      last.payload["content"].push(part);
      last.text += text;
    } else items.push({ payload: messageItem(block, part), text });
  }
  return items;
}

function answerPart(block: AssistantContent): JsonObject | undefined {
  if (block.type === "text") return restore(plainText(block.text), notesOf(block));
  return block.type === "opaque" && notesOf(block)["part"] === true ? ownValue(block) : undefined;
}

function messageItem(block: AssistantContent, part: JsonObject): JsonObject {
  const signature = block.type === "text" ? readSignature(block.textSignature) : undefined;
  return { type: "message", role: "assistant", content: [part], ...signature };
}

function plainItem(block: AssistantContent): JsonObject | undefined {
  switch (block.type) {
    case "thinking":
      return reasoningItem(block);
    case "toolCall":
      return callItem(block);
    case "opaque":
      return ownValue(block);
    default:
      return undefined;
  }
}

/** Only the signatures of the Responses API are its own reasoning items. */
function reasoningItem({ thinking, thinkingSignature, redacted }: ThinkingContent): JsonObject | undefined {
  const signed = readReasoning(thinkingSignature);
  if (signed !== undefined) return signed;
  if (redacted === true) return undefined;
  const summary = thinking === "" ? [] : [{ type: "summary_text", text: thinking }];
  return { type: "reasoning", summary, encrypted_content: null };
}

function callItem(call: ToolCall): JsonObject {
  const { id: call_id, name, arguments: given } = call;
  const { form } = notesOf(call);
  if (form === "shell" && name === SHELL) {
    return { type: "local_shell_call", call_id, status: "completed", action: given };
  }
  const { input } = given;
  if (form === "custom" && isString(input) && hasExactly(given, "input")) {
    return { type: "custom_tool_call", call_id, name, input };
  }
  return { type: "function_call", name, arguments: JSON.stringify(given), call_id };
}

function opaque(value: JsonObject): OpaqueContent {
  return { type: "opaque", dialect: NAME, value };
}

function ownValue({ dialect, value }: OpaqueContent): JsonObject | undefined {
  return dialect === NAME && isObject(value) ? value : undefined;
}
