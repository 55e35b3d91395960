import type { Channel } from "../types.js";
import { normaliseTelegram } from "./normalise.js";
import { outgoing, withButtons } from "./outgoing.js";
import { UPLOAD_BYTES } from "./send.js";
import type { Settings } from "./settings.js";
import { open } from "./transport.js";
import { verify } from "./verify.js";
import type { TelegramOutput } from "./wire.js";

export const telegram: Channel<Settings, TelegramOutput> = {
  title: "Telegram",
  // Telegram allows about one message per second in a chat, 20 per minute in a group (some are left for answers) and 30 per
  // second in total. Bots can download files of up to 20 MB.
  traits: {
    editEveryMs: 1500,
    groupEditEveryMs: 5000,
    sendEveryMs: 35,
    debounceMs: 300,
    typingMs: 5000,
    mostBytes: 20_000_000,
    mostSentBytes: UPLOAD_BYTES,
  },
  secret: "token",
  packages: [{ name: "grammy" }],
  style: "telegram-html",
  nativeForm: "a Bot API update or message",
  normalise: normaliseTelegram,
  outgoing,
  withButtons,
  whoami: verify,
  mention: (name) => `@${name}`,
  open,
};
