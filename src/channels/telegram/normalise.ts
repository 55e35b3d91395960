import { defined } from "../../core/json/defined.js";
import { isObject } from "../../core/json/value.js";
import { nativeChecks } from "../native-checks.js";
import { passedOnField } from "../passed-on.js";
import type { Bot, Chat, Normalised, Person } from "../types.js";
import { isAddressed, type Me, repliedMessage } from "./addressed.js";
import { attachmentsOf, contentOf } from "./content.js";
import * as generated from "./generated/validators.js";
import { textOf, withSpoilers } from "./spoilers.js";
import type { TelegramMessage, TelegramUpdate } from "./wire.js";

/** A forum's general topic. Telegram's own links call it 1. */
export const GENERAL_TOPIC = "1";

/** Chat types with separate message numbers for each bot and person. In other chats they are shared. */
const OWN_NUMBERS: readonly string[] = ["private", "group"];

/** The `from` ids Telegram uses for anonymous administrators, channels, and channel posts in linked groups. */
const PLACEHOLDER_SENDERS = [1087968824, 136817688, 777000];

export const checkNative = nativeChecks(generated);

/**
 * Reads a Bot API message or update.
 *
 * @example
 * const read = normaliseTelegram(update, { id: "987654321" });
 * if ("why" in read) console.error(`not a message: ${read.why}`);
 * else console.log(read.message.From, read.message.Text);
 */
export function normaliseTelegram(native: unknown, { id, name }: Bot): Normalised {
  const isMessage = isObject(native) && "message_id" in native;
  const update = checkNative("TelegramUpdate", isMessage ? { update_id: 0, message: native } : native);
  if ("misfit" in update) return { why: `it is not a Bot API update (${update.misfit})` };
  const me = { id: Number(id), ...(name === undefined ? {} : { username: name }) };
  const read = normalise(update.value, me);
  return "why" in read ? read : { ...read, message: { ...read.message, To: id } };
}

/** Reads an update; it may not be a message, or may come from a bot. */
export function normalise(update: TelegramUpdate, me: Me): Normalised {
  const edited = update.edited_message ?? update.edited_channel_post;
  const message = update.message ?? update.channel_post ?? edited;
  if (message === undefined) return { why: "the update contains no message" };
  // A live location is updated by edits.
  if (message === edited && message.location !== undefined) {
    return { why: "it only updates a live location" };
  }
  const sender = senderOf(message, me);
  const place = chatOf(message);
  const { text, passedOn } = contentOf(message);
  const attachments = attachmentsOf(message);
  if (sender === undefined) return { why: "it was not written by a person" };
  if (place === undefined) return { why: `unknown chat type ${JSON.stringify(message.chat.type)}` };
  if (text === undefined && passedOn.length === 0 && attachments.length === 0) {
    return { why: "it has no content: it is a service message or of an unsupported kind" };
  }
  const earlier = repliedMessage(message);
  // A reply such as "What is this?" is about the picture it replies to.
  const shown = earlier === undefined ? attachments : [...attachments, ...attachmentsOf(earlier)];
  const { quote } = message;
  const id = String(message.message_id);
  return {
    message: defined({
      From: sender.id,
      To: String(me.id),
      ChatType: place.kind,
      Text: text,
      ...passedOnField(passedOn),
      MediaType: attachments[0]?.kind,
      ReplyToId: earlier === undefined ? undefined : String(earlier.message_id),
      ReplyToText: earlier === undefined ? undefined : textOf(earlier),
      QuoteText: quote === undefined ? undefined : withSpoilers(quote.text, quote.entities),
      MessageThreadId: place.thread,
      MessageId: id,
      Timestamp: message.date,
      ChatId: place.kind === "direct" ? undefined : place.chat,
      ChatTitle: message.chat.title,
    }),
    // `edit_date` has only seconds, but every update has its own number.
    id: message === edited ? `${id}+${update.update_id}` : id,
    ...(OWN_NUMBERS.includes(message.chat.type) && { idScope: String(me.id) }),
    place,
    sender,
    attachments: shown,
    addressed: place.kind === "direct" || isAddressed(message, me),
    ...(message.media_group_id !== undefined && { album: message.media_group_id }),
    ...(message === edited && { edits: id }),
  };
}

function senderOf({ from, sender_chat, via_bot }: TelegramMessage, me: Me): Person | undefined {
  if (from?.id === me.id || via_bot?.id === me.id) return undefined;
  const isPlaceholder = from === undefined || PLACEHOLDER_SENDERS.includes(from.id);
  if (sender_chat !== undefined && isPlaceholder) return person(sender_chat.id, [sender_chat.title]);
  if (from === undefined || isPlaceholder || from.is_bot === true) return undefined;
  return personOf(from);
}

export function personOf({ id, first_name, last_name }: NonNullable<TelegramMessage["from"]>): Person {
  return person(id, [first_name, last_name]);
}

function person(id: number, names: (string | undefined)[]): Person {
  const name = names.filter((part) => part !== undefined && part !== "").join(" ");
  return { id: String(id), ...(name !== "" && { name }) };
}

const kinds: Readonly<Record<string, Chat["kind"]>> = {
  private: "direct",
  group: "group",
  supergroup: "group",
  channel: "channel",
};

export function chatOf({
  chat,
  is_topic_message,
  message_thread_id,
}: Pick<TelegramMessage, "chat" | "is_topic_message" | "message_thread_id">): Chat | undefined {
  const kind = Object.hasOwn(kinds, chat.type) ? kinds[chat.type] : undefined;
  if (kind === undefined) return undefined;
  // Outside of topics, `message_thread_id` only groups replies.
  const topic =
    is_topic_message === true && message_thread_id !== undefined ? String(message_thread_id) : undefined;
  const thread = topic ?? (chat.is_forum === true ? GENERAL_TOPIC : undefined);
  return { kind, chat: String(chat.id), ...(thread !== undefined && { thread }) };
}
