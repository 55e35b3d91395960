import { DEFAULT_ACCOUNT } from "../../../channels/accounts.js";
import { passedOnField, passedOnIn } from "../../../channels/passed-on.js";
import { idsOf } from "../../../channels/person-ids.js";
import type { Chat, Inbound } from "../../../channels/types.js";
import { isObject } from "../../../core/json/value.js";
import { cleanName } from "../../../core/shown/quote.js";
import type { AgentMessage, UserContent, UserMessage } from "../../../core/types.js";
import { sessionKey } from "../../../log/key.js";
import { MAIN } from "../../../runtime/agents.js";
import { type Part, userMessage } from "../../inbound-message.js";
import type { Reception } from "../../types.js";
import { isChat } from "../read-record.js";
import type { ReplyTarget } from "../record-schema.js";
import { framingOf } from "./group-context.js";

export type { ReplyTarget };

const kinds = { direct: "dm", group: "group", channel: "channel" } as const;

/**
 * The key of a message's conversation: a linked person's own on all platforms, otherwise one for each channel, account and
 * person or group, so that conversations stay private.
 */
export function sessionKeyOf(
  { place, sender }: Pick<Inbound, "place" | "sender">,
  { channel, account, agent = MAIN, identities = {} }: Omit<Reception, "channel"> & { channel: string },
): string {
  const [person] =
    place.kind === "direct"
      ? (Object.entries(identities).find(([, ids]) =>
          idsOf(sender).some((id) => ids.includes(`${channel}:${id}`)),
        ) ?? [])
      : [];
  if (person !== undefined) return sessionKey({ agent, channel: "person", kind: "dm", peer: person });
  return sessionKey({
    agent,
    channel: account === DEFAULT_ACCOUNT ? channel : `${channel}@${account}`,
    kind: kinds[place.kind],
    peer: place.kind === "direct" ? sender.id : place.chat,
    ...(place.thread === undefined ? {} : { thread: { kind: "thread", id: place.thread } }),
  });
}

/** A group's session is named after the group, or after the first message to the bot. */
export function titleOf({ place, message: { ChatTitle, Text = "" } }: Inbound): { title?: string } {
  if (place.kind === "direct") return {};
  const title = cleanName(isText(ChatTitle) ? ChatTitle : Text);
  return title === "" ? {} : { title };
}

/**
 * Combines messages sent in a row into one message to the agent. Undefined if they have no content.
 *
 * @param before earlier group messages that were not for the bot
 * @param files the content shown for their files
 */
export function composeMessage(
  messages: readonly [Inbound, ...Inbound[]],
  before: readonly Inbound[],
  files: readonly UserContent[],
  reception: Reception,
  now: number,
): UserMessage | undefined {
  const [first, ...rest] = messages;
  const { channel, account } = reception;
  const saysSomething = messages.some(
    ({ message }) => isText(message.Text) || passedOnIn(message).length > 0,
  );
  if (!saysSomething && files.length === 0) return undefined;
  const isGroup = first.place.kind !== "direct";
  const composition = {
    channel,
    accountId: account,
    files,
    ...(isGroup ? { framing: framingOf(before) } : {}),
    delivery: deliveryOf(first, reception),
  };
  return userMessage([partOf(first), ...rest.map(partOf)], composition, now);
}

/** A session message's delivery data: where its answers go. */
export function deliveryOf(
  { place, id }: { place: Chat; id?: string | undefined },
  { channel, account }: Reception,
): ReplyTarget & Pick<Reception, "channel" | "account"> {
  const asked: ReplyTarget = {
    place,
    ...(place.kind === "direct" || id === undefined ? {} : { replyTo: id }),
  };
  return { channel, account, ...asked };
}

function partOf({ message, sender: { name }, edits }: Inbound): Part {
  return {
    message: name === undefined ? message : { ...message, SenderName: name },
    ...(edits === undefined ? {} : { edits }),
  };
}

/** Where the answers to a session message go, if it came from this account. */
export function replyTargetOf(
  message: AgentMessage,
  { channel, account }: Reception,
): ReplyTarget | undefined {
  const delivery = message.ext?.["delivery"];
  if (message.role !== "user" || !isObject(delivery)) return undefined;
  const { place, replyTo } = delivery;
  if (delivery["channel"] !== channel || delivery["account"] !== account || !isChat(place)) return undefined;
  return { place, ...(typeof replyTo === "string" ? { replyTo } : {}) };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Joins an album's messages, which platforms send one by one. */
export function joinAlbum(messages: readonly [Inbound, ...Inbound[]]): Inbound {
  const [first] = messages;
  const texts = messages.flatMap(({ message: { Text = "" } }) => (Text === "" ? [] : [Text]));
  return {
    ...first,
    message: {
      ...first.message,
      ...(texts.length === 0 ? {} : { Text: texts.join("\n") }),
      ...passedOnField(messages.flatMap(({ message }) => passedOnIn(message))),
    },
    attachments: messages.flatMap(({ attachments }) => attachments),
    addressed: messages.some(({ addressed }) => addressed),
  };
}
