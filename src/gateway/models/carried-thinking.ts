import { createHash } from "node:crypto";
import type { SignaturePlace } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { defined } from "../../core/json/defined.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  LiveAssistantMessageEvent,
  Loss,
  ThinkingContent,
} from "../../core/types.js";

/** The model that a request is for. */
interface Target {
  provider: string;
  id: string;
}

/** What the signature in a client's API holds: thinking as the model's own API needs it, and which model wrote it. */
interface Carried {
  /** A hash of the model's name, which an alias may hide from the client. */
  origin: string;
  api: string;
  /** Without its text if the client has it. */
  thinking: Omit<ThinkingContent, "thinking"> & { thinking?: string };
  /** The signature of the call that follows. */
  call?: string;
}

/**
 * An answer of a model with another API than the client's. The client sends its thinking back with the signature that it
 * has here; the model's own signature would mean nothing there, and would be lost.
 */
export async function* carryThinking(
  events: AsyncIterable<LiveAssistantMessageEvent>,
  place: SignaturePlace,
): AsyncGenerator<LiveAssistantMessageEvent> {
  // A call that follows can have a signature too, which is known when the call begins.
  let ended: LiveAssistantMessageEvent | undefined;
  for await (const event of events) {
    if (ended !== undefined) yield carriedEvent(ended, place);
    ended = event.type === "thinking_end" ? event : undefined;
    if (ended === undefined) yield carriedEvent(event, place);
  }
  if (ended !== undefined) yield carriedEvent(ended, place);
}

function carriedEvent(event: LiveAssistantMessageEvent, place: SignaturePlace): LiveAssistantMessageEvent {
  switch (event.type) {
    case "text_end":
    case "thinking_end":
    case "toolcall_end":
    case "block_end": {
      const { contentIndex } = event;
      const block = carriedBlock(event.partial, contentIndex, place);
      if (block === undefined) return event;
      const partial = { ...event.partial, content: event.partial.content.with(contentIndex, block) };
      if (event.type === "block_end") return { ...event, partial, block };
      return event.type === "toolcall_end" && block.type === "toolCall"
        ? { ...event, partial, toolCall: block }
        : { ...event, partial };
    }
    case "done":
      return { ...event, message: carryInMessage(event.message, place) };
    case "error":
      return { ...event, error: carryInMessage(event.error, place) };
    default:
      return event;
  }
}

/** A complete answer as `carryThinking` shows it. */
export function carryInMessage(message: AssistantMessage, place: SignaturePlace): AssistantMessage {
  const content = message.content.map((block, index) => carriedBlock(message, index, place) ?? block);
  return { ...message, content };
}

/** The block with its signature; undefined if the block has none in the client's API. */
function carriedBlock(
  message: AssistantMessage,
  index: number,
  place: SignaturePlace,
): AssistantContent | undefined {
  const block = message.content[index];
  if (block?.type === "thinking" && place.block === "thinking") {
    const { thinking: _, ...rest } = block;
    const next = message.content[index + 1];
    const call = next?.type === "toolCall" ? next.thoughtSignature : undefined;
    return place.write(block, encode(message, [{ thinking: rest, ...defined({ call }) }]));
  }
  if (block === undefined || place.block !== "toolCall") return undefined;
  // Text and thinking can have signatures there too, and those of other models mean nothing.
  if (block.type !== "toolCall") return unsigned(block);
  const thinking = thinkingBefore(message.content, index);
  if (thinking.length === 0) return undefined;
  const carried = thinking.map((one) => ({ thinking: one }));
  return { ...block, thoughtSignature: encode(message, carried) };
}

/** The thinking that led to a call: what is between it and the call before. */
function thinkingBefore(content: readonly AssistantContent[], index: number): ThinkingContent[] {
  const before = content.slice(0, index);
  const start = before.findLastIndex(({ type }) => type === "toolCall") + 1;
  return before.slice(start).filter((block) => block.type === "thinking");
}

/** The messages of a client, with the thinking of the model that is asked as that model wrote it. */
export function restoreThinking(
  messages: readonly AgentMessage[],
  place: SignaturePlace,
  target: Target,
): AgentMessage[] {
  const origin = originOf(target.provider, target.id);
  return messages.map((message) =>
    message.role === "assistant" ? restoredMessage(message, place, target, origin) : message,
  );
}

function restoredMessage(
  message: AssistantMessage,
  place: SignaturePlace,
  { provider, id }: Target,
  origin: string,
): AssistantMessage {
  const marks = message.content.map((block) => decode(signatureOf(block, place), place));
  const own = marks.map((carried) => carried?.filter((one) => one.origin === origin) ?? []);
  const [first] = own.flat();
  const texts = new Set(own.flat().map(({ thinking }) => thinking.thinking));
  const content = message.content.flatMap((block, index): AssistantContent[] => {
    const thinking = (own[index] ?? []).map((one) => ({ thinking: textOf(block), ...one.thinking }));
    if (block.type === "thinking") {
      if (thinking.length > 0) return thinking;
      // Some clients send the thinking back beside the call that carries it.
      if (texts.has(block.thinking)) return [];
    }
    const plain = marks[index] === undefined ? block : unsigned(block);
    const signature = own[index - 1]?.at(-1)?.call;
    const isSigned = plain.type === "toolCall" && signature !== undefined;
    return [...thinking, isSigned ? { ...plain, thoughtSignature: signature } : plain];
  });
  const answer = { ...message, content };
  return first === undefined ? answer : { ...answer, provider, model: id, api: first.api };
}

/**
 * A request to a provider that speaks the client's API, without thinking that the client carries for another model, and
 * what is lost by that.
 */
export function withoutCarried(
  body: JsonObject,
  place: SignaturePlace,
): { body: JsonObject; losses: Loss[] } {
  const losses: Loss[] = [];
  const { list, blocks } = place;
  const replaced = (items: readonly unknown[], base: string): unknown[] =>
    items.flatMap((item, index) => {
      const at = `${base}/${index}`;
      if (!isObject(item)) return [item];
      const inner = base === `/${list}` && blocks !== undefined ? item[blocks] : undefined;
      if (blocks !== undefined && Array.isArray(inner)) {
        return [{ ...item, [blocks]: replaced(inner, `${at}/${blocks}`) }];
      }
      const instead = place.replace(item, isOurs);
      if (instead === undefined) return [item];
      losses.push({ at, what: "thinking", why: "another model wrote it", severity: "approximated" });
      return instead;
    });
  const items = body[list];
  const all = Array.isArray(items) ? replaced(items, `/${list}`) : items;
  return losses.length === 0 ? { body, losses } : { body: { ...body, [list]: all }, losses };
}

function isOurs(signature: unknown): boolean {
  return typeof signature === "string" && signature.startsWith(START);
}

function signatureOf(block: AssistantContent, place: SignaturePlace): string | undefined {
  if (block.type === "thinking" && place.block === "thinking") return place.read(block);
  return block.type === "toolCall" && place.block === "toolCall" ? block.thoughtSignature : undefined;
}

function textOf(block: AssistantContent): string {
  return block.type === "thinking" ? block.thinking : "";
}

/** Without its signature. */
function unsigned(block: AssistantContent): AssistantContent {
  if (block.type === "text") {
    const { textSignature: _, ...rest } = block;
    return rest;
  }
  if (block.type === "thinking") {
    const { thinkingSignature: _, ...rest } = block;
    return rest;
  }
  if (block.type !== "toolCall") return block;
  const { thoughtSignature: _, ...rest } = block;
  return rest;
}

const VERSION = "dragoman-1";
/** What our signatures begin with: twelve bytes, which base64 writes the same whatever follows. */
const START = Buffer.from(`["${VERSION}`).toString("base64");

function originOf(provider: string, model: string): string {
  return createHash("sha256").update(`${provider}/${model}`).digest("base64url").slice(0, 12);
}

function encode(
  { provider, model, api }: AssistantMessage,
  blocks: readonly Omit<Carried, "origin" | "api">[],
): string {
  const origin = originOf(provider, model);
  const carried = blocks.map((block): Carried => ({ origin, api, ...block }));
  // Some clients check that a signature is base64.
  return Buffer.from(JSON.stringify([VERSION, ...carried])).toString("base64");
}

/** What a signature carries; undefined for one that is not ours. */
function decode(signature: string | undefined, place: SignaturePlace): Carried[] | undefined {
  if (signature === undefined) return undefined;
  if (place.block === "toolCall" && signature === place.placeholder) return [];
  if (!isOurs(signature)) return undefined;
  try {
    const value = parseJson(Buffer.from(signature, "base64").toString("utf8"));
    const [version, ...carried]: unknown[] = Array.isArray(value) ? value : [];
    return version === VERSION && carried.every(isCarried) ? carried : undefined;
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

function isCarried(value: unknown): value is Carried {
  if (!isObject(value) || typeof value["origin"] !== "string" || typeof value["api"] !== "string")
    return false;
  const { thinking: block, call = "" } = value;
  if (typeof call !== "string" || !isObject(block) || block["type"] !== "thinking") return false;
  const { thinking = "", thinkingSignature = "", redacted = false, ext = {} } = block;
  return (
    typeof thinking === "string" &&
    typeof thinkingSignature === "string" &&
    typeof redacted === "boolean" &&
    isObject(ext)
  );
}
