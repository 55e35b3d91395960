import { parseArguments } from "../../core/json/arguments.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { type MessageSignature, writeSignature } from "../../core/message/responses-signatures.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AssistantContent, TextContent, ThinkingContent, ToolCall } from "../../core/types.js";
import { plainCall, plainMessage, plainReasoning, plainText } from "./items.js";
import { withNotes } from "./notes.js";
import { NAME, objectAt, stringIn } from "./wire.js";

/** The type of an item. Messages may omit it. */
export function kindOf(item: JsonObject): unknown {
  return item["type"] === undefined && item["role"] !== undefined ? "message" : item["type"];
}

/** The blocks of one item of an answer. Unknown items are kept unchanged. */
export function readItem(item: JsonObject, at: string): AssistantContent[] {
  switch (kindOf(item)) {
    case "message":
      return readMessage(item, at);
    case "reasoning":
      return [readReasoningItem(item)];
    case "function_call":
      return [readCall(item, at)];
    default:
      return [opaque(item)];
  }
}

/** The id and phase with which a message item is sent back, if it has an id. */
export function signatureOf({ id, phase }: JsonObject): MessageSignature | undefined {
  if (typeof id !== "string") return undefined;
  return { id, ...(typeof phase === "string" ? { phase } : {}) };
}

function opaque(value: JsonObject): AssistantContent {
  return { type: "opaque", dialect: NAME, value };
}

/** Each part becomes a block; the first one also has the notes on the item. */
function readMessage(item: JsonObject, at: string): AssistantContent[] {
  const { content, ...head } = item;
  if (item["role"] !== "assistant") return [opaque(item)];
  if (typeof content === "string") {
    const signature = signatureOf(item);
    const block = withSignature({ type: "text", text: content }, signature);
    const form = signature === undefined ? undefined : "string";
    return [withNotes(block, { form, item: deviations(head, plainMessage(signature)) })];
  }
  if (!Array.isArray(content)) throw unexpected(`${at}/content`, "a string or an array", content);
  if (content.length === 0) return [opaque(item)];
  return content.map((value: unknown, index) => {
    const part = objectAt(value, `${at}/content/${index}`);
    const block = readOutputPart(part);
    if (index > 0) return withNotes(block.block, { ...block.own, joins: true });
    const signature = block.block.type === "text" ? signatureOf(item) : undefined;
    const first = block.block.type === "text" ? withSignature(block.block, signature) : block.block;
    const form = signature === undefined ? "parts" : undefined;
    return withNotes(first, { ...block.own, form, item: deviations(head, plainMessage(signature)) });
  });
}

function withSignature(block: TextContent, signature: MessageSignature | undefined): TextContent {
  return signature === undefined ? block : { ...block, textSignature: writeSignature(signature) };
}

function readOutputPart(part: JsonObject): { block: AssistantContent; own: JsonObject } {
  const { type, text, refusal } = part;
  const content = type === "refusal" ? refusal : type === "output_text" ? text : undefined;
  if (typeof content !== "string") return { block: opaque(part), own: { isPart: true } };
  const isRefusal = type === "refusal";
  return {
    block: { type: "text", text: content },
    own: { refusal: isRefusal || undefined, part: deviations(part, plainText(content, isRefusal)) },
  };
}

function readReasoningItem(item: JsonObject): ThinkingContent {
  const thinking = thinkingOf(item);
  const plain = deviations(item, plainReasoning(thinking)) === undefined && thinking.trim() !== "";
  return { type: "thinking", thinking, ...(plain ? {} : { thinkingSignature: JSON.stringify(item) }) };
}

/** The summary, or the thinking itself for models without a summary. */
export function thinkingOf({ summary, content }: JsonObject): string {
  return textsOf(summary) || textsOf(content);
}

function textsOf(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  const texts = parts.map((part: unknown) => (isObject(part) ? part["text"] : undefined));
  return texts.filter((text) => typeof text === "string").join("\n\n");
}

function readCall(item: JsonObject, at: string): ToolCall {
  const block: ToolCall = {
    type: "toolCall",
    id: stringIn(item, "call_id", at),
    name: stringIn(item, "name", at),
    ...parseArguments(stringIn(item, "arguments", at)),
  };
  const id = typeof item["id"] === "string" ? item["id"] : undefined;
  return withNotes(block, { id, item: deviations(item, plainCall(block, id)) });
}
