import { DEFAULT_ACCOUNT } from "../channels/accounts.js";
import { chatOf } from "../channels/chat.js";
import { passedOnIn } from "../channels/passed-on.js";
import { editBlock, type InboundFraming, passedOnBlock } from "../core/shown/inbound.js";
import type { OpenClawMessage, UserContent, UserMessage } from "../core/types.js";
import type { Params } from "../protocol/schema.js";

/** The channel of a message that names none. */
export const DEFAULT_CHANNEL = "rpc";

/** A larger timestamp is in milliseconds: as seconds it would be after the year 5000. */
const LARGEST_SECONDS = 100_000_000_000;

/** Accepts a message once even if a channel delivers it twice. Message ids are unique within their chat. */
export function onceKey({
  message,
  channel = DEFAULT_CHANNEL,
  accountId = DEFAULT_ACCOUNT,
  idempotencyKey,
}: Pick<Params<"agent">, "message" | "channel" | "accountId" | "idempotencyKey">): string | undefined {
  if (idempotencyKey !== undefined) return idempotencyKey;
  const { MessageId } = message;
  if (MessageId === undefined) return undefined;
  return channelOnceKey(channel, accountId, JSON.stringify([chatOf(message).chat, MessageId]));
}

/** The same key for a message whether it comes from the platform or through `/rpc`, so that it is accepted once. */
export function channelOnceKey(channel: string, account: string, messageKey: string): string {
  return `${channel}:${account}:${messageKey}`;
}

/** One of the messages that a person sent in quick succession. */
export interface Part {
  message: OpenClawMessage;
  /** The id of the message that it replaces. */
  edits?: string;
}

export interface Composition {
  channel?: string | undefined;
  accountId?: string | undefined;
  framing?: InboundFraming;
  /** The attachments, as downloaded. */
  files?: readonly UserContent[];
  /** Where the answers go, if they are sent. */
  delivery?: object | undefined;
}

/**
 * Combines a channel's messages into one session message: their text, what they forward, and their files. Everything else is
 * in `ext.inbound`, from which `frameInbound` creates what a model is shown.
 */
export function userMessage(
  parts: readonly [Part, ...Part[]],
  composition: Composition,
  now: number,
): UserMessage {
  const { channel = DEFAULT_CHANNEL, accountId = DEFAULT_ACCOUNT, framing = {}, files = [] } = composition;
  const { delivery } = composition;
  const [{ message }, ...rest] = parts;
  const { From, Timestamp } = message;
  const words = textOf(parts);
  const passedOn = parts.flatMap((part) => passedOnIn(part.message)).map(passedOnBlock);
  const more = [...passedOn, ...files];
  const plain = more.length === 0 && typeof words === "string";
  const needsFraming =
    message.ChatType !== "direct" || Object.keys(framing).length > 0 || parts.some(isReply);
  return {
    role: "user",
    content: plain ? words : [...blocksOf(words), ...more],
    sender: From,
    timestamp: Timestamp === undefined ? now : milliseconds(Timestamp),
    ext: {
      inbound: {
        channel,
        accountId,
        ...inboundFields(message),
        ...(rest.length === 0 ? {} : { others: rest.map((part) => inboundFields(part.message)) }),
        ...(needsFraming ? { framing } : {}),
      },
      ...(delivery === undefined ? {} : { delivery }),
    },
  };
}

/** The file of an `/rpc` message, as a block and a note for the model. */
export function mediaOf({ MediaUrl, MediaType }: OpenClawMessage): Pick<Composition, "framing" | "files"> {
  if (MediaUrl === undefined && MediaType === undefined) return {};
  const files = MediaUrl === undefined ? [] : [mediaBlock(MediaUrl, MediaType)];
  return { files, framing: { media: true } };
}

/** The text in order; text that replaces an earlier message is a separate block. */
function textOf(parts: readonly Part[]): string | UserContent[] {
  const texts = parts.flatMap(({ message: { Text = "" }, edits }) => (Text === "" ? [] : [{ Text, edits }]));
  if (texts.every(({ edits }) => edits === undefined)) return texts.map(({ Text }) => Text).join("\n");
  return texts.map(({ Text, edits }) =>
    edits === undefined ? { type: "text", text: Text } : editBlock(Text, edits),
  );
}

function blocksOf(words: string | UserContent[]): UserContent[] {
  if (typeof words !== "string") return words;
  return words === "" ? [] : [{ type: "text", text: words }];
}

/** Fields of `ext.inbound` that the gateway sets itself. */
const RESERVED: readonly string[] = ["channel", "accountId", "framing", "others", "renamed"];

/**
 * The fields that are not in the content; an embedded file would be stored twice. A sender's fields with reserved names are in
 * `renamed`, so that the sender cannot set what the gateway states.
 */
function inboundFields(message: OpenClawMessage): Record<string, unknown> {
  const { Text: _, PassedOn, MediaUrl, ...fields } = message;
  const isOurs = ([name]: [string, unknown]) => RESERVED.includes(name);
  const all = Object.entries(fields);
  const renamed = Object.fromEntries(all.filter(isOurs));
  const kept = Object.fromEntries(all.filter((field) => !isOurs(field)));
  const isContent = !Array.isArray(PassedOn)
    ? PassedOn === undefined
    : passedOnIn(message).length === PassedOn.length;
  return {
    ...kept,
    ...(Object.keys(renamed).length === 0 ? {} : { renamed }),
    ...(isContent ? {} : { PassedOn }),
    ...(MediaUrl === undefined || MediaUrl.startsWith("data:") ? {} : { MediaUrl }),
  };
}

function isReply({ message: { ReplyToText, QuoteText } }: Part): boolean {
  return ReplyToText !== undefined || QuoteText !== undefined;
}

function mediaBlock(url: string, type: OpenClawMessage["MediaType"]): UserContent {
  switch (type) {
    case "image":
    case "audio":
      return { type, url };
    default:
      return { type: "file", url };
  }
}

function milliseconds(time: number): number {
  return time < LARGEST_SECONDS ? time * 1000 : time;
}
