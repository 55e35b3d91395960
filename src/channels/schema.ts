import type { TSchema } from "@sinclair/typebox";
import { DiscordMessage, DiscordOutput } from "./discord/wire.js";
import { TelegramOutput, TelegramUpdate } from "./telegram/wire.js";
import { WebhookInput, WebhookOutput } from "./webhook/wire.js";
import { WhatsAppMessage, WhatsAppOutput } from "./whatsapp/wire.js";

export type {
  DiscordMessage,
  DiscordOutput,
  TelegramOutput,
  TelegramUpdate,
  WebhookInput,
  WebhookOutput,
  WhatsAppMessage,
  WhatsAppOutput,
};

/** What is checked when it comes from a platform or goes to one, and published under `schemas/`. */
export const channelSchemas: TSchema[] = [
  TelegramOutput,
  TelegramUpdate,
  DiscordMessage,
  DiscordOutput,
  WhatsAppMessage,
  WhatsAppOutput,
  WebhookInput,
  WebhookOutput,
];
