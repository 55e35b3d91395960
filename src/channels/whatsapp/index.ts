import type { Channel } from "../types.js";
import { CLIENT } from "./client.js";
import { showCode } from "./linking.js";
import { normaliseWhatsApp } from "./normalise.js";
import { outgoing } from "./outgoing.js";
import type { Settings } from "./settings.js";
import { open, UPLOAD_BYTES } from "./transport.js";
import type { WhatsAppOutput } from "./wire.js";

/** No edits: WhatsApp marks edited messages, and notifies people only of the first version. */
export const whatsapp: Channel<Settings, WhatsAppOutput> = {
  title: "WhatsApp",
  // WhatsApp blocks accounts that write faster than people do.
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
      summary: "link by typing a code on this phone instead of scanning a QR code",
      read: (text) => text.replace(/[\s+()-]/g, ""),
    },
  },
  examples: ["dragoman channels add whatsapp --phone '+49 151 12345678'"],
  nativeForm: "a Baileys message",
  normalise: normaliseWhatsApp,
  outgoing,
  showCode,
  open,
};
