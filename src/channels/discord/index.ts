import type { Channel } from "../types.js";
import { normaliseDiscord } from "./normalise.js";
import { outgoing, withButtons } from "./outgoing.js";
import type { Settings } from "./settings.js";
import { open, UPLOAD_BYTES } from "./transport.js";
import { verify } from "./verify.js";
import type { DiscordOutput } from "./wire.js";

export const discord: Channel<Settings, DiscordOutput> = {
  title: "Discord",
  // Discord allows five requests per five seconds and channel, and shows a typing indicator for ten seconds.
  traits: {
    editEveryMs: 1500,
    debounceMs: 300,
    typingMs: 9000,
    mostBytes: 25_000_000,
    mostSentBytes: UPLOAD_BYTES,
    replyNamesChat: true,
    directChatHasId: true,
  },
  secret: "token",
  packages: [{ name: "@discordjs/rest" }, { name: "@discordjs/ws" }],
  style: "discord",
  examples: ["pass show discord-bot | dragoman channels add discord/work --token-stdin"],
  nativeForm: "a Discord API message",
  normalise: normaliseDiscord,
  outgoing,
  withButtons,
  whoami: verify,
  open,
};
