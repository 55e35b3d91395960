import type { Static } from "@sinclair/typebox";
import { account, optional } from "../settings.js";

export const Settings = account({
  /** From @BotFather. */
  token: optional.text,
  /** Where Telegram calls us, `https://agents.example.com/channels/telegram/default`; without it we ask for what is new. */
  webhookUrl: optional.text,
  /** The server of the Bot API, for those who run their own. */
  apiRoot: optional.text,
});
export type Settings = Static<typeof Settings>;
