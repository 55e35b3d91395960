import { DEFAULT_ACCOUNT } from "../channels/accounts.js";
import { chatOf } from "../channels/chat.js";
import { passedOnIn } from "../channels/passed-on.js";
import { editBlock, type InboundFraming, passedOnBlock } from "../core/shown/inbound.js";
import type { OpenClawMessage, UserContent, UserMessage } from "../core/types.js";
import type { Params } from "../protocol/schema.js";

/** What a message came through that names no channel. */
export const DEFAULT_CHANNEL = "rpc";

/** Seconds of a date after the year 5000 are taken for milliseconds. */
const LARGEST_SECONDS = 100_000_000_000;

/** A channel that delivers a message twice means it once. The ids of messages count in their chat. */
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

/** The same message is accepted once, also when it comes through the account itself and through `/rpc`. */
export function channelOnceKey(channel: string, account: string, messageKey: string): string {
  return `${channel}:${account}:${messageKey}`;
}

/** One of the messages that a person sent in a row. */
export interface Part {
  message: OpenClawMessage;
  /** The id of the message that it replaces. */
  edits?: string;
}

export interface Composition {
  channel?: string | undefined;
  accountId?: string | undefined;
  framing?: InboundFraming;
  /** What came with the messages, as it was fetched. */
  files?: readonly UserContent[];
  /** Where the answers go, if they are sent. */
  delivery?: object | undefined;
}

/**
 * The message of a session that one or several messages of a channel make: the words as they were said, what they pass on, and
 * the files. Everything else is kept in `ext.inbound`. What a model is shown of it, `frameInbound` makes.
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

/** What a message of `/rpc` says of its file: one block, and what the block cannot say. */
export function mediaOf({ MediaUrl, MediaType }: OpenClawMessage): Pick<Composition, "framing" | "files"> {
  if (MediaUrl === undefined && MediaType === undefined) return {};
  const files = MediaUrl === undefined ? [] : [mediaBlock(MediaUrl, MediaType)];
  return { files, framing: { media: true } };
}

/** The words in the order they were said; text that replaces an earlier message is a block of its own. */
function textOf(parts: readonly Part[]): string | UserContent[] {
  const said = parts.flatMap(({ message: { Text = "" }, edits }) => (Text === "" ? [] : [{ Text, edits }]));
  if (said.every(({ edits }) => edits === undefined)) return said.map(({ Text }) => Text).join("\n");
  return said.map(({ Text, edits }) =>
    edits === undefined ? { type: "text", text: Text } : editBlock(Text, edits),
  );
}

function blocksOf(words: string | UserContent[]): UserContent[] {
  if (typeof words !== "string") return words;
  return words === "" ? [] : [{ type: "text", text: words }];
}

/** Names in `ext.inbound` that say what the gateway itself knows of a message. */
const RESERVED: readonly string[] = ["channel", "accountId", "framing", "others", "renamed"];

/**
 * The fields that the content does not hold. A file within the message would be there twice. Fields under names of ours are in
 * `renamed`: a sender must not decide what is said of the message.
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
