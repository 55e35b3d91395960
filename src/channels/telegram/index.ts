import type { TelegramSettings } from "../settings.js";
import type { Channel } from "../types.js";
import { outgoing } from "./outgoing.js";
import { open } from "./transport.js";
import type { TelegramOutput } from "./wire.js";

export const telegram: Channel<TelegramSettings, TelegramOutput> = {
  name: "telegram",
  title: "Telegram",
  // About a message each second in a chat, twenty each minute in a group; bots are handed files of 20 MB at most.
  traits: { editEveryMs: 1500, debounceMs: 300, typingMs: 5000, mostBytes: 20_000_000 },
  outgoing,
  open,
};
