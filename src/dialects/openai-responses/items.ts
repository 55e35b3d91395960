import { parseArguments } from "../../core/json/arguments.js";
import { isObject, type JsonObject, sameJson } from "../../core/json/value.js";
import {
  type MessageSignature,
  readReasoning,
  readSignature,
} from "../../core/message/responses-signatures.js";
import { restore } from "../../core/records/deviation.js";
import type { AssistantContent, AssistantMessage, ThinkingContent, ToolCall } from "../../core/types.js";
import { notesOf } from "./notes.js";
import { ownValue } from "./parts.js";
import type { FunctionCall, OutputPart, Reasoning } from "./wire.js";

/** Creates an id for an item that has none. */
export type NameItem = (prefix: "msg" | "rs" | "fc", contentIndex: number) => string;

/** Whether an item's id may be sent. */
export type AcceptsId = (id: string, prefix: "msg" | "fc", contentIndex: number) => boolean;

/**
 * The items of an answer, for a request, where ids are optional, or for a response, where `name` creates missing ids.
 * Blocks that an answer cannot contain (images, other dialects' opaque blocks) are left out.
 */
export function itemsOf(
  message: AssistantMessage,
  { name, acceptsId }: { name?: NameItem; acceptsId?: AcceptsId },
): JsonObject[] {
  const unpaired = name === undefined && notesOf(message)["unpaired"] === true;
  const items: JsonObject[] = [];
  for (const [index, block] of message.content.entries()) {
    const part = notesOf(block)["joins"] === true ? partOf(block) : undefined;
    const last = items.at(-1);
    if (part !== undefined && last?.["role"] === "assistant" && Array.isArray(last["content"])) {
      items[items.length - 1] = { ...last, content: [...last["content"], part] };
    } else items.push(...itemOf(block, index, { unpaired, name, acceptsId }));
  }
  return items;
}

interface Mode {
  /** Whether item ids must not be sent. */
  unpaired?: boolean;
  name?: NameItem | undefined;
  acceptsId?: AcceptsId | undefined;
}

/** The item for one block, or none. */
export function itemOf(block: AssistantContent, index: number, mode: Mode): JsonObject[] {
  const part = partOf(block);
  if (part !== undefined) return [messageOf(block, part, index, mode)];
  const item = otherItem(block, index, mode);
  return item === undefined ? [] : [item];
}

export function plainText(text: string, isRefusal: boolean): OutputPart {
  return isRefusal ? { type: "refusal", refusal: text } : { type: "output_text", text, annotations: [] };
}

/** A message item without its content. */
export function plainMessage(signature: MessageSignature | undefined): JsonObject {
  if (signature === undefined) return { role: "assistant" };
  return { type: "message", role: "assistant", ...signature, status: "completed" };
}

export function plainReasoning(thinking: string): Omit<Reasoning, "id"> {
  return { type: "reasoning", summary: [{ type: "summary_text", text: thinking }] };
}

export function plainCall(call: ToolCall, id: string | undefined): FunctionCall {
  return {
    type: "function_call",
    call_id: call.id,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
    ...(id === undefined ? {} : { id, status: "completed" }),
  };
}

/** A block as a part of a message item; undefined for blocks that are items themselves. */
function partOf(block: AssistantContent): JsonObject | undefined {
  const own = notesOf(block);
  if (block.type === "text") return restore(plainText(block.text, own["refusal"] === true), own["part"]);
  return block.type === "opaque" && own["isPart"] === true ? ownValue(block) : undefined;
}

function messageOf(
  block: AssistantContent,
  part: JsonObject,
  index: number,
  { unpaired = false, name, acceptsId }: Mode,
): JsonObject {
  const own = notesOf(block);
  const known = block.type === "text" ? readSignature(block.textSignature) : undefined;
  const bare = unpaired || (known !== undefined && acceptsId?.(known.id, "msg", index) === false);
  const signature = bare
    ? undefined
    : (known ?? (name === undefined ? undefined : { id: name("msg", index) }));
  const short = (own["form"] ?? (signature === undefined ? "string" : "parts")) === "string";
  const phase = bare && known?.phase !== undefined ? { phase: known.phase } : {};
  const content = short && name === undefined && block.type === "text" ? block.text : [part];
  return { ...restore({ ...plainMessage(signature), ...phase }, own["item"]), content };
}

function otherItem(block: AssistantContent, index: number, mode: Mode): JsonObject | undefined {
  const { name } = mode;
  switch (block.type) {
    case "thinking":
      return reasoningOf(block, name?.("rs", index));
    case "toolCall":
      return callOf(block, index, mode);
    case "opaque":
      return ownValue(block);
    default:
      return undefined;
  }
}

function reasoningOf(block: ThinkingContent, id: string | undefined): JsonObject | undefined {
  const whole = readReasoning(block.thinkingSignature);
  if (whole !== undefined) return id === undefined || whole["id"] !== undefined ? whole : { id, ...whole };
  if (block.redacted === true || block.thinking.trim() === "") return undefined;
  return { ...(id === undefined ? {} : { id }), ...plainReasoning(block.thinking) };
}

function callOf(call: ToolCall, index: number, { unpaired = false, name, acceptsId }: Mode): JsonObject {
  const own = notesOf(call);
  const given = typeof own["id"] === "string" && !unpaired ? own["id"] : name?.("fc", index);
  const known = given !== undefined && acceptsId?.(given, "fc", index) === false ? undefined : given;
  return restore(plainCall(call, known), forgetChangedArguments(own["item"], call));
}

/** Removes the noted text of arguments that have changed since then. */
function forgetChangedArguments(deviation: unknown, call: ToolCall): unknown {
  if (!isObject(deviation) || !isObject(deviation["fields"])) return deviation;
  const { arguments: text, ...fields } = deviation["fields"];
  if (typeof text !== "string") return deviation;
  const unchanged = sameJson(parseArguments(text).arguments, call.arguments);
  return unchanged ? deviation : { ...deviation, fields };
}
