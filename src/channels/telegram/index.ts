import type { Channel } from "../types.js";
import { normaliseTelegram } from "./normalise.js";
import { outgoing } from "./outgoing.js";
import { UPLOAD_BYTES } from "./send.js";
import type { Settings } from "./settings.js";
import { open } from "./transport.js";
import { verify } from "./verify.js";
import type { TelegramOutput } from "./wire.js";

export const telegram: Channel<Settings, TelegramOutput> = {
  title: "Telegram",
  // Telegram wants about a message each second in a chat, twenty a minute in a group, of which some are left for answers, and
  // thirty each second in all. It hands files of 20 MB at most to bots.
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
  nativeForm: "an update or a message of the Bot API",
  normalise: normaliseTelegram,
  outgoing,
  whoami: verify,
  mention: (name) => `@${name}`,
  open,
};
