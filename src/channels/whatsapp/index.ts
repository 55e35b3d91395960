import { markdownLosses } from "../../markdown/index.js";
import type { WhatsAppSettings } from "../settings.js";
import type { Channel } from "../types.js";
import { outgoing } from "./outgoing.js";
import { open, UPLOAD_BYTES } from "./transport.js";
import type { WhatsAppOutput } from "./wire.js";

/** There are no edits: WhatsApp shows that a message was edited, and tells of the first words only. */
export const whatsapp: Channel<WhatsAppSettings, WhatsAppOutput> = {
  name: "whatsapp",
  title: "WhatsApp",
  // Whoever writes faster than people do is locked out.
  traits: {
    debounceMs: 500,
    sendEveryMs: 500,
    typingMs: 8000,
    mostBytes: 25_000_000,
    mostSentBytes: UPLOAD_BYTES,
  },
  outgoing,
  losses: (markdown) => markdownLosses(markdown, "whatsapp"),
  open,
};
