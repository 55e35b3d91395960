import type { TSchema } from "@sinclair/typebox";
import { DiscordOutput } from "./discord/wire.js";
import { TelegramOutput, TelegramUpdate } from "./telegram/wire.js";
import { WebhookInput, WebhookOutput } from "./webhook/wire.js";
import { WhatsAppOutput } from "./whatsapp/wire.js";

export type { DiscordOutput, TelegramOutput, TelegramUpdate, WebhookInput, WebhookOutput, WhatsAppOutput };

/** What is checked when it comes from a platform or goes to one, and published under `schemas/`. */
export const channelSchemas: TSchema[] = [
  TelegramOutput,
  TelegramUpdate,
  DiscordOutput,
  WhatsAppOutput,
  WebhookInput,
  WebhookOutput,
];
