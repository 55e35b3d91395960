import { type Answered, cleanName, directMessage, groupMessage, type Said } from "../../channels/quote.js";
import type { ChannelName, Inbound, Place } from "../../channels/types.js";
import { isObject } from "../../core/json/value.js";
import type { AgentMessage, UserContent, UserMessage } from "../../core/types.js";
import { sessionKey } from "../../log/key.js";
import { MAIN } from "../../runtime/agents.js";
import { keyOf as peerKey, userMessage } from "../inbound-message.js";
import { isPlace } from "./read-record.js";

/** Which account of which platform, and the agent that answers there. */
export interface Reception {
  channel: ChannelName;
  account: string;
  agent?: string | undefined;
  /** People by names of our own, and who they are on platforms: `ann: ["telegram:123"]`. */
  identities?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Where the answers to a message go. */
export interface Asked {
  place: Place;
  /** In a group they say what they answer. */
  replyTo?: string;
}

/** The conversation that a message belongs to: that of its place, or that of a person who is linked, wherever they write. */
export function sessionKeyOf({ message, place, sender }: Inbound, reception: Reception): string {
  const { channel, account, agent = MAIN, identities = {} } = reception;
  const [person] =
    place.kind === "direct"
      ? (Object.entries(identities).find(([, ids]) => ids.includes(`${channel}:${sender.id}`)) ?? [])
      : [];
  if (person !== undefined) return sessionKey({ agent, channel: "person", kind: "dm", peer: person });
  const { MessageThreadId: _, ...rest } = message;
  return peerKey({
    message: {
      ...rest,
      From: sender.id,
      To: place.chat,
      ChatType: place.kind,
      ...(place.thread === undefined ? {} : { MessageThreadId: place.thread }),
    },
    channel,
    accountId: account,
    agent,
  });
}

/** A group's session is called as the group is, or else by the first words to us there, without what was said before. */
export function titleOf({ place, message: { ChatTitle, Text = "" } }: Inbound): { title?: string } {
  if (place.kind === "direct") return {};
  const title = cleanName(isWords(ChatTitle) ? ChatTitle : Text);
  return title === "" ? {} : { title };
}

/**
 * One message to the agent, of several that somebody sent in a row. Undefined when they say nothing.
 *
 * @param before what was said in the group meanwhile, though not to us
 * @param files what is shown of the files that came with them
 */
export function composeMessage(
  messages: readonly [Inbound, ...Inbound[]],
  before: readonly Inbound[],
  files: readonly UserContent[],
  reception: Reception,
  now: number,
): UserMessage | undefined {
  const [first] = messages;
  const { channel, account } = reception;
  const said = messages.map(wordsOf).filter((text) => text !== "");
  if (said.length === 0 && files.length === 0) return undefined;
  const own = said.join("\n");
  const isGroup = first.place.kind !== "direct";
  const answered = messages.flatMap(answeredBy);
  const text = isGroup
    ? groupMessage(before.map(quoted), answered, { sender: first.sender, text: own })
    : directMessage(answered, own);
  const base = userMessage({ message: first.message, channel, accountId: account }, now);
  const asked: Asked = { place: first.place, ...(isGroup ? { replyTo: first.id } : {}) };
  return {
    ...base,
    content:
      files.length === 0 ? text : [...(text === "" ? [] : [{ type: "text" as const, text }]), ...files],
    ext: { ...base.ext, delivery: { channel, account, ...asked } },
  };
}

/** Where the answers to a message of a session go, if it came from this account. */
export function askedBy(message: AgentMessage, { channel, account }: Reception): Asked | undefined {
  const delivery = message.ext?.["delivery"];
  if (message.role !== "user" || !isObject(delivery)) return undefined;
  const { place, replyTo } = delivery;
  if (delivery["channel"] !== channel || delivery["account"] !== account || !isPlace(place)) return undefined;
  return { place, ...(typeof replyTo === "string" ? { replyTo } : {}) };
}

function wordsOf({ message: { Text = "" }, edits }: Inbound): string {
  return edits === undefined || Text === "" ? Text : `(I have edited an earlier message. It says:)\n${Text}`;
}

/** What a message answers. Its text may be anybody's. */
function answeredBy({ message: { ReplyToText: text, QuoteText: quote } }: Inbound): Answered[] {
  const answered = { ...(isWords(text) ? { text } : {}), ...(isWords(quote) ? { quote } : {}) };
  return Object.keys(answered).length === 0 ? [] : [answered];
}

function isWords(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function quoted({ sender, message: { Text = "" }, attachments }: Inbound): Said {
  const files = attachments.map(({ kind }) => `[${kind}]`);
  return { sender, text: [...(Text === "" ? [] : [Text]), ...files].join(" ") };
}

/** One message of those that the platform sends one by one though they belong together. */
export function joinAlbum(messages: readonly [Inbound, ...Inbound[]]): Inbound {
  const [first] = messages;
  const texts = messages.flatMap(({ message: { Text = "" } }) => (Text === "" ? [] : [Text]));
  return {
    ...first,
    message: texts.length === 0 ? first.message : { ...first.message, Text: texts.join("\n") },
    attachments: messages.flatMap(({ attachments }) => attachments),
    addressed: messages.some(({ addressed }) => addressed),
  };
}
