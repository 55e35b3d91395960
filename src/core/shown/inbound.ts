import { isObject, type JsonObject } from "../json/value.js";
import type { Ext, UserContent, UserMessage } from "../types.js";
import {
  type Answered,
  type Frame,
  type GroupMessage,
  introduction,
  jsonLine,
  type PassedOn,
} from "./quote.js";

/** Stored in `ext.inbound` beside a channel message's fields: what a model is shown with the message. */
export interface InboundFraming {
  /** Earlier group messages that were not addressed to the agent. */
  before?: readonly GroupMessage[];
  /** How many older messages are not kept. */
  leftOut?: number;
  /** Whether `MediaUrl` and `MediaType` describe the file; otherwise the content does. */
  media?: boolean;
}

const mediaKinds: readonly unknown[] = ["image", "audio", "video", "document", "file"];

/** Something that a message's sender did not write: a forwarded message, a contact, a poll. */
export function passedOnBlock({ kind, text }: PassedOn): UserContent {
  return { type: "text", text: text === "" ? namedOnly(kind) : text, ext: { inbound: { passedOn: kind } } };
}

/** The new text of a message that was edited after the agent had seen it. */
export function editBlock(text: string, edits: string): UserContent {
  return { type: "text", text, ext: { inbound: { edits } } };
}

/**
 * What a model is shown of a person's message: its text, preceded by the sender in a group, the message it replies to and
 * what it forwards. A message that did not come from a channel, or needs no introduction, stays unchanged.
 *
 * @example
 * frameInbound(message).content; // '"Ann" (id "7") writes to you:\nwhat do they want?'
 */
export function frameInbound(message: UserMessage): UserMessage {
  const inbounds = inboundsOf(message.ext);
  const { content } = message;
  const blocks: UserContent[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const own = blocks.filter((block) => passedOnBy(block) === undefined);
  const passedOn = blocks.flatMap((block) => passedOnBy(block) ?? []);
  const head = introduction({ ...frameOf(inbounds), passedOn }) + inbounds.flatMap(mediaLines).join("");
  if (head === "" && !own.some(isEdit)) return message;
  const shown = own.map(withoutMark);
  if (typeof content === "string") return { ...message, content: `${head}${content}` };
  const [first, ...rest] = shown;
  if (head === "") return { ...message, content: shown };
  if (first?.type !== "text") return { ...message, content: [{ type: "text", text: head }, ...shown] };
  return { ...message, content: [{ ...first, text: `${head}${first.text}` }, ...rest] };
}

/** The channel messages that make up one message: those sent in quick succession, and those that were queued. */
function inboundsOf(ext: Ext | undefined): JsonObject[] {
  const collected: unknown = ext?.["collected"];
  const others = Array.isArray(collected) ? collected.slice(1).map((one) => isObject(one) && one["ext"]) : [];
  return [ext, ...others].flatMap((one) => {
    const inbound = isObject(one) ? one["inbound"] : undefined;
    if (!isObject(inbound) || !isObject(inbound["framing"])) return [];
    const more = inbound["others"];
    return [inbound, ...(Array.isArray(more) ? more.filter(isObject) : [])];
  });
}

function frameOf(inbounds: readonly JsonObject[]): Pick<Frame, "group" | "answered"> {
  const answered = inbounds.flatMap(answeredBy);
  const [first] = inbounds;
  if (first === undefined || first["ChatType"] === "direct") return { answered };
  const { From: id, SenderName: name } = first;
  const framings = inbounds.map(({ framing }) => framing).filter(isObject);
  const before = framings.flatMap(({ before: list }) =>
    Array.isArray(list) ? list.filter(isGroupMessage) : [],
  );
  const leftOut = framings.reduce((sum, { leftOut: n }) => sum + (typeof n === "number" ? n : 0), 0);
  const sender = { id: String(id), ...(typeof name === "string" ? { name } : {}) };
  return { answered, group: { sender, before, leftOut } };
}

function answeredBy({ ReplyToText: text, QuoteText: quote }: JsonObject): Answered[] {
  const answered = { ...(isNonEmpty(text) ? { text } : {}), ...(isNonEmpty(quote) ? { quote } : {}) };
  return Object.keys(answered).length === 0 ? [] : [answered];
}

/** What the blocks do not show: that a file is a video, its URL, or that it is missing. */
function mediaLines({ MediaUrl: url, MediaType: kind = "file", framing }: JsonObject): string[] {
  const isDescribed = isObject(framing) && framing["media"] === true;
  if (!isDescribed || !mediaKinds.includes(kind)) return [];
  if (typeof url === "string" && (kind === "image" || kind === "audio")) return [];
  if (url === undefined) return [`[${kind}: it was announced, but no address of it was given]\n`];
  return [`[${kind}: ${jsonLine(url)}]\n`];
}

function markOf(block: UserContent): JsonObject {
  const mark = block.ext?.["inbound"];
  return isObject(mark) ? mark : {};
}

function passedOnBy(block: UserContent): PassedOn | undefined {
  const { passedOn: kind } = markOf(block);
  if (block.type !== "text" || typeof kind !== "string") return undefined;
  return { kind, text: block.text === namedOnly(kind) ? "" : block.text };
}

/** What people see of something without text, such as a game. */
function namedOnly(kind: string): string {
  return `[${kind}]`;
}

function isEdit(block: UserContent): boolean {
  return markOf(block)["edits"] !== undefined;
}

function withoutMark(block: UserContent): UserContent {
  if (block.type !== "text" || !isEdit(block)) return block;
  return { type: "text", text: `(I have edited an earlier message. It says:)\n${block.text}` };
}

function isNonEmpty(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isGroupMessage(value: unknown): value is GroupMessage {
  if (!isObject(value) || typeof value["text"] !== "string") return false;
  const { sender, cut } = value;
  if (!isObject(sender) || typeof sender["id"] !== "string") return false;
  return (
    ["string", "undefined"].includes(typeof sender["name"]) && ["number", "undefined"].includes(typeof cut)
  );
}
