import { isObject } from "../../core/json/value.js";
import { nativeChecks } from "../native-checks.js";
import { passedOnField } from "../passed-on.js";
import type { Bot, Chat, Normalised, Person } from "../types.js";
import { isAddressed, type Me, repliedMessage } from "./addressed.js";
import { attachmentsOf, contentOf } from "./content.js";
import * as generated from "./generated/validators.js";
import { textOf, withSpoilers } from "./spoilers.js";
import type { TelegramMessage, TelegramUpdate } from "./wire.js";

/** The topic of a forum where everything is that is in no other. Telegram's own links call it 1. */
export const GENERAL_TOPIC = "1";

/** Chats in which each bot and each person counts the messages for itself. Those of the others count for everybody. */
const COUNTED_FOR_EACH: readonly string[] = ["private", "group"];

/** In their `from` stand those that an anonymous administrator, a channel, or a channel's post in its group speaks through. */
const STAND_INS = [1087968824, 136817688, 777000];

export const checkNative = nativeChecks(generated);

/**
 * A message or an update of Telegram's Bot API as an OpenClaw message.
 *
 * @example
 * const read = normaliseTelegram(update, { id: "987654321" });
 * if ("why" in read) console.error(`not a message: ${read.why}`);
 * else console.log(read.message.From, read.message.Text);
 */
export function normaliseTelegram(native: unknown, { id, name }: Bot): Normalised {
  const isMessage = isObject(native) && "message_id" in native;
  const update = checkNative("TelegramUpdate", isMessage ? { update_id: 0, message: native } : native);
  if ("misfit" in update) return { why: `it is not an update of the Bot API (${update.misfit})` };
  const me = { id: Number(id), ...(name === undefined ? {} : { username: name }) };
  const read = normalise(update.value, me);
  return "why" in read ? read : { ...read, message: { ...read.message, To: id } };
}

/** An update as a message, or the reason why it is not one: nobody said anything, or a bot did. */
export function normalise(update: TelegramUpdate, me: Me): Normalised {
  const edited = update.edited_message ?? update.edited_channel_post;
  const message = update.message ?? update.channel_post ?? edited;
  if (message === undefined) return { why: "the update holds no message" };
  // Somebody who shares where they are "edits" the place again and again.
  if (message === edited && message.location !== undefined) {
    return { why: "it only moves a shared location" };
  }
  const sender = senderOf(message, me);
  const place = chatOf(message);
  const { text, passedOn } = contentOf(message);
  const attachments = attachmentsOf(message);
  if (sender === undefined) return { why: "a bot wrote it, or nobody did" };
  if (place === undefined)
    return { why: `chats of the type ${JSON.stringify(message.chat.type)} are unknown` };
  if (text === undefined && passedOn.length === 0 && attachments.length === 0) {
    return { why: "it says nothing: it is a service message, or of a kind that is not supported" };
  }
  const [attachment] = attachments;
  const earlier = repliedMessage(message);
  // "What is this?" is asked about the picture it answers.
  const shown = earlier === undefined ? attachments : [...attachments, ...attachmentsOf(earlier)];
  const earlierText = earlier === undefined ? undefined : textOf(earlier);
  const id = String(message.message_id);
  return {
    message: {
      From: sender.id,
      To: String(me.id),
      ChatType: place.kind,
      ...(text !== undefined && { Text: text }),
      ...passedOnField(passedOn),
      ...(attachment !== undefined && { MediaType: attachment.kind }),
      ...(earlier !== undefined && { ReplyToId: String(earlier.message_id) }),
      ...(earlierText !== undefined && { ReplyToText: earlierText }),
      ...(message.quote !== undefined && {
        QuoteText: withSpoilers(message.quote.text, message.quote.entities),
      }),
      ...(place.thread !== undefined && { MessageThreadId: place.thread }),
      MessageId: id,
      Timestamp: message.date,
      ...(place.kind !== "direct" && { ChatId: place.chat }),
      ...(message.chat.title !== undefined && { ChatTitle: message.chat.title }),
    },
    // A message can be edited twice in the second that `edit_date` names, but every update has its own number.
    id: message === edited ? `${id}+${update.update_id}` : id,
    ...(COUNTED_FOR_EACH.includes(message.chat.type) && { idScope: String(me.id) }),
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
  const standsIn = from === undefined || STAND_INS.includes(from.id);
  if (sender_chat !== undefined && standsIn) return person(sender_chat.id, [sender_chat.title]);
  if (from === undefined || standsIn || from.is_bot === true) return undefined;
  return person(from.id, [from.first_name, from.last_name]);
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

function chatOf({ chat, is_topic_message, message_thread_id }: TelegramMessage): Chat | undefined {
  const kind = Object.hasOwn(kinds, chat.type) ? kinds[chat.type] : undefined;
  if (kind === undefined) return undefined;
  // Outside of topics `message_thread_id` only says which messages answer each other.
  const topic =
    is_topic_message === true && message_thread_id !== undefined ? String(message_thread_id) : undefined;
  const thread = topic ?? (chat.is_forum === true ? GENERAL_TOPIC : undefined);
  return { kind, chat: String(chat.id), ...(thread !== undefined && { thread }) };
}
