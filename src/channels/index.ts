import { isObject } from "../core/json/value.js";
import type { ReplyPayload } from "../core/types.js";
import { readMessage as readDiscord } from "./discord/normalise.js";
import { outgoing as discordOutgoing } from "./discord/outgoing.js";
import type { Where } from "./discord/where.js";
import type { DiscordOutput } from "./discord/wire.js";
import type { Normalised } from "./normalised.js";
import { readUpdate } from "./telegram/normalise.js";
import { outgoing as telegramOutgoing } from "./telegram/outgoing.js";
import type { TelegramOutput } from "./telegram/wire.js";
import type { Outgoing, Place } from "./types.js";
import { readMessage as readWebhook } from "./webhook/normalise.js";
import { outgoing as webhookOutgoing } from "./webhook/outgoing.js";
import type { WebhookOutput } from "./webhook/wire.js";
import { readMessage as readWhatsApp } from "./whatsapp/normalise.js";
import { outgoing as whatsappOutgoing } from "./whatsapp/outgoing.js";
import type { WhatsAppOutput } from "./whatsapp/wire.js";

export type { Normalised } from "./normalised.js";
export type { Attachment, Inbound, Outgoing, Person, Place } from "./types.js";
export type { DiscordOutput, TelegramOutput, WebhookOutput, WhatsAppOutput };

/** Who the bot is: what becomes `To`, and what a mention of it is recognised by. */
export interface Bot {
  id: string;
  /** Telegram's `@name`, without the `@`. */
  name?: string;
}

/**
 * A message or an update of Telegram's Bot API as an OpenClaw message.
 *
 * @example
 * const read = normaliseTelegram(update, { id: "987654321" });
 * if ("why" in read) console.error(`not a message: ${read.why}`);
 * else console.log(read.message.From, read.message.Text);
 */
export function normaliseTelegram(update: unknown, { id, name }: Bot): Normalised {
  const isMessage = isObject(update) && "message_id" in update;
  const me = { id: Number(id), ...(name === undefined ? {} : { username: name }) };
  const read = readUpdate(isMessage ? { update_id: 0, message: update } : update, me);
  return "why" in read ? read : { ...read, message: { ...read.message, To: id } };
}

export interface DiscordBot extends Bot {
  roles?: ReadonlySet<string>;
  /**
   * Where the message's channel is. Default: as the gateway's events state it, a server if the message has a `guild_id` and a
   * direct chat otherwise. Messages that the REST API lists have none wherever they are, and need it; so do threads.
   */
  where?: Where;
}

/** A message of Discord, as its gateway or its REST API gives it, as an OpenClaw message. */
export function normaliseDiscord(message: unknown, { id, roles, where }: DiscordBot): Normalised {
  return readDiscord(message, where ?? stated(message), { id, roles: roles ?? new Set() });
}

function stated(message: unknown): Where {
  const server = isObject(message) ? message["guild_id"] : undefined;
  return typeof server === "string" ? { kind: "server", server } : { kind: "direct" };
}

/** A message of WhatsApp, as Baileys gives it, as an OpenClaw message. The bot's id is `4915112345678@s.whatsapp.net`. */
export function normaliseWhatsApp(message: unknown, { id }: Bot): Normalised {
  return readWhatsApp(message, { id });
}

/** What is posted to the webhook channel, as an OpenClaw message. */
export function normaliseWebhook(input: unknown): Normalised {
  return readWebhook(input);
}

/**
 * An answer as the requests that say it on Telegram: formatted, in parts that fit, the first of them the reply. `plain` is the
 * same without formatting, for when the platform refuses it.
 *
 * @example
 * renderTelegram({ text: "**Hi**" })[0].native; // { text: "<b>Hi</b>", parse_mode: "HTML", disable_web_page_preview: true }
 */
export function renderTelegram(answer: ReplyPayload): Outgoing<TelegramOutput>[] {
  return telegramOutgoing(answer);
}

/** An answer as messages of Discord. A reply needs the channel that it is sent to. */
export function renderDiscord(answer: ReplyPayload, place: Place): Outgoing<DiscordOutput>[] {
  return discordOutgoing(answer, place);
}

/** An answer as messages of WhatsApp. A reply needs the chat that it is sent to. */
export function renderWhatsApp(answer: ReplyPayload, place: Place): Outgoing<WhatsAppOutput>[] {
  return whatsappOutgoing(answer, place);
}

/** An answer as what the webhook channel posts. */
export function renderWebhook(answer: ReplyPayload): Outgoing<WebhookOutput>[] {
  return webhookOutgoing(answer);
}
