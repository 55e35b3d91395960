import type { Static } from "@sinclair/typebox";
import { account, optional } from "../settings.js";

export const Settings = account({
  /** From @BotFather. */
  token: optional.text,
  /** Where Telegram calls us, `https://agents.example.com/channels/telegram/default` (default: long polling). */
  webhookUrl: optional.text,
  /** The URL of a self-hosted Bot API server. */
  apiRoot: optional.text,
});
export type Settings = Static<typeof Settings>;
