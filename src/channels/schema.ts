import type { TSchema } from "@sinclair/typebox";
import { DiscordOutput } from "./discord/wire.js";
import { TelegramOutput } from "./telegram/wire.js";
import { WebhookInput, WebhookOutput } from "./webhook/wire.js";
import { WhatsAppOutput } from "./whatsapp/wire.js";

export type { DiscordOutput, TelegramOutput, WebhookInput, WebhookOutput, WhatsAppOutput };

/** What is checked before it goes to a platform, and published under `schemas/`. */
export const channelSchemas: TSchema[] = [
  TelegramOutput,
  DiscordOutput,
  WhatsAppOutput,
  WebhookInput,
  WebhookOutput,
];
