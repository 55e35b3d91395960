import { createHash } from "node:crypto";
import type { SignaturePlace } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  LiveAssistantMessageEvent,
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
}

/**
 * An answer of a model with another API than the client's. The client sends its thinking back with the signature that it
 * has here; the model's own signature would mean nothing there, and would be lost.
 */
export async function* carryThinking(
  events: AsyncIterable<LiveAssistantMessageEvent>,
  place: SignaturePlace,
): AsyncGenerator<LiveAssistantMessageEvent> {
  for await (const event of events) yield carriedEvent(event, place);
}

function carriedEvent(event: LiveAssistantMessageEvent, place: SignaturePlace): LiveAssistantMessageEvent {
  switch (event.type) {
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
      return { ...event, message: carriedMessage(event.message, place) };
    case "error":
      return { ...event, error: carriedMessage(event.error, place) };
    default:
      return event;
  }
}

function carriedMessage(message: AssistantMessage, place: SignaturePlace): AssistantMessage {
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
    return place.write(block, encode(message, [rest]));
  }
  if (block?.type !== "toolCall" || place.block !== "toolCall") return undefined;
  const thinking = thinkingBefore(message.content, index);
  return thinking.length === 0 ? undefined : { ...block, thoughtSignature: encode(message, thinking) };
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
  return messages.map((message) =>
    message.role === "assistant" ? restoredMessage(message, place, target) : message,
  );
}

function restoredMessage(
  message: AssistantMessage,
  place: SignaturePlace,
  { provider, id }: Target,
): AssistantMessage {
  const marks = message.content.map((block) => decode(signatureOf(block, place)));
  const origin = originOf(provider, id);
  const own = marks.flatMap((carried = []) => carried).filter((carried) => carried.origin === origin);
  const texts = new Set(own.map(({ thinking }) => thinking.thinking));
  const content = message.content.flatMap((block, index): AssistantContent[] => {
    const carried = marks[index];
    if (carried === undefined) {
      const isCopy = block.type === "thinking" && texts.has(block.thinking);
      return isCopy ? [] : [block];
    }
    const restored = carried
      .filter((one) => one.origin === origin)
      .map(({ thinking }): ThinkingContent => ({ thinking: textOf(block), ...thinking }));
    return block.type === "thinking" && restored.length > 0 ? restored : [...restored, unsigned(block)];
  });
  const [first] = own;
  return first === undefined ? { ...message, content } : { ...message, content, provider, model: id, api: first.api };
}

function signatureOf(block: AssistantContent, place: SignaturePlace): string | undefined {
  if (block.type === "thinking" && place.block === "thinking") return place.read(block);
  return block.type === "toolCall" && place.block === "toolCall" ? block.thoughtSignature : undefined;
}

function textOf(block: AssistantContent): string {
  return block.type === "thinking" ? block.thinking : "";
}

/** Without a signature that is ours, and not the model's. */
function unsigned(block: AssistantContent): AssistantContent {
  if (block.type === "thinking") {
    const { thinkingSignature: _, ...rest } = block;
    return rest;
  }
  if (block.type !== "toolCall") return block;
  const { thoughtSignature: _, ...rest } = block;
  return rest;
}

const VERSION = "dragoman-1";

function originOf(provider: string, model: string): string {
  return createHash("sha256").update(`${provider}/${model}`).digest("base64url").slice(0, 12);
}

function encode({ provider, model, api }: AssistantMessage, blocks: readonly Carried["thinking"][]): string {
  const origin = originOf(provider, model);
  const carried = blocks.map((thinking): Carried => ({ origin, api, thinking }));
  // Some clients check that a signature is base64.
  return Buffer.from(JSON.stringify([VERSION, ...carried])).toString("base64");
}

/** Undefined for a signature that is not ours. */
function decode(signature: string | undefined): Carried[] | undefined {
  if (signature === undefined) return undefined;
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
  if (!isObject(value) || typeof value["origin"] !== "string" || typeof value["api"] !== "string") return false;
  const { thinking: block } = value;
  if (!isObject(block) || block["type"] !== "thinking") return false;
  const { thinking = "", thinkingSignature = "", redacted = false, ext = {} } = block;
  return (
    typeof thinking === "string" &&
    typeof thinkingSignature === "string" &&
    typeof redacted === "boolean" &&
    isObject(ext)
  );
}
