import * as discord from "../../src/channels/discord/normalise.js";
import type { Where } from "../../src/channels/discord/where.js";
import type { Me as TelegramBot } from "../../src/channels/telegram/addressed.js";
import * as telegram from "../../src/channels/telegram/normalise.js";
import type { Inbound, Normalised } from "../../src/channels/types.js";
import { normaliseWebhook } from "../../src/channels/webhook/normalise.js";
import * as whatsapp from "../../src/channels/whatsapp/normalise.js";

/** Anything that came from a platform as the message that its transport receives; undefined for what is none. */
export function telegramMessage(update: unknown, me: TelegramBot): Inbound | undefined {
  const checked = telegram.checkNative("TelegramUpdate", update);
  return "misfit" in checked ? undefined : messageIn(telegram.normalise(checked.value, me));
}

export function discordMessage(message: unknown, where: Where, me: discord.Me): Inbound | undefined {
  const checked = discord.checkNative("DiscordMessage", message);
  return "misfit" in checked ? undefined : messageIn(discord.normalise(checked.value, where, me));
}

export function whatsappMessage(
  message: unknown,
  me: whatsapp.Me,
  known?: whatsapp.Known,
): Inbound | undefined {
  const checked = whatsapp.checkNative("WhatsAppMessage", message);
  return "misfit" in checked ? undefined : messageIn(whatsapp.normalise(checked.value, me, known));
}

export function webhookMessage(input: unknown): Inbound | undefined {
  return messageIn(normaliseWebhook(input));
}

function messageIn(normalised: Normalised): Inbound | undefined {
  return "why" in normalised ? undefined : normalised;
}
