export { type DiscordBot, normaliseDiscord } from "./discord/normalise.js";
export { outgoing as renderDiscord } from "./discord/outgoing.js";
export type { DiscordOutput } from "./discord/wire.js";
export { normaliseTelegram } from "./telegram/normalise.js";
export { outgoing as renderTelegram } from "./telegram/outgoing.js";
export type { TelegramOutput } from "./telegram/wire.js";
/** @deprecated Use `Chat`. */
export type { Attachment, Bot, Chat, Chat as Place, Inbound, Normalised, Outgoing, Person } from "./types.js";
export { normaliseWebhook } from "./webhook/normalise.js";
export { outgoing as renderWebhook } from "./webhook/outgoing.js";
export type { WebhookOutput } from "./webhook/wire.js";
export { normaliseWhatsApp } from "./whatsapp/normalise.js";
export { outgoing as renderWhatsApp } from "./whatsapp/outgoing.js";
export type { WhatsAppOutput } from "./whatsapp/wire.js";
