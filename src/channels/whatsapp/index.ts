import type { Channel } from "../types.js";
import { CLIENT } from "./client.js";
import { showCode } from "./linking.js";
import { normaliseWhatsApp } from "./normalise.js";
import { outgoing } from "./outgoing.js";
import type { Settings } from "./settings.js";
import { open, UPLOAD_BYTES } from "./transport.js";
import type { WhatsAppOutput } from "./wire.js";

/** There are no edits: WhatsApp shows that a message was edited, and tells of the first words only. */
export const whatsapp: Channel<Settings, WhatsAppOutput> = {
  title: "WhatsApp",
  // Whoever writes faster than people do is locked out.
  traits: {
    debounceMs: 500,
    sendEveryMs: 500,
    typingMs: 8000,
    mostBytes: 25_000_000,
    mostSentBytes: UPLOAD_BYTES,
    replyNamesChat: true,
  },
  packages: [CLIENT],
  style: "whatsapp",
  options: {
    phone: {
      value: "NUMBER",
      summary: "link this phone by typing a code instead of scanning one",
      read: (text) => text.replace(/[\s+()-]/g, ""),
    },
  },
  examples: ["dragoman channels add whatsapp --phone '+49 151 12345678'"],
  nativeForm: "a message of Baileys",
  normalise: normaliseWhatsApp,
  outgoing,
  showCode,
  open,
};
