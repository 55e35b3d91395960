import { markdownLosses } from "../../markdown/index.js";
import type { DiscordSettings } from "../settings.js";
import type { Channel } from "../types.js";
import { outgoing } from "./outgoing.js";
import { open, UPLOAD_BYTES } from "./transport.js";
import type { DiscordOutput } from "./wire.js";

export const discord: Channel<DiscordSettings, DiscordOutput> = {
  name: "discord",
  title: "Discord",
  // Five requests in five seconds for each channel; a typing sign is shown for ten.
  traits: {
    editEveryMs: 1500,
    debounceMs: 300,
    typingMs: 9000,
    mostBytes: 25_000_000,
    mostSentBytes: UPLOAD_BYTES,
    directChatHasId: true,
  },
  outgoing,
  losses: (markdown) => markdownLosses(markdown, "discord"),
  open,
};
