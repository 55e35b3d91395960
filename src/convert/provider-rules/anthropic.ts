import { IMAGE_TYPES } from "../../dialects/anthropic/wire.js";
import type { ProviderRules } from "./rules.js";

const image = IMAGE_TYPES;
const file = ["application/pdf", "text/plain"];

export const anthropic: ProviderRules = {
  name: "anthropic",
  signatures: ["anthropic-messages"],
  toolId: {
    pattern: /^[a-zA-Z0-9_-]{1,64}$/,
    words: "1 to 64 letters, digits, _ or -",
    maxLength: 64,
  },
  toolName: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, words: "1 to 64 letters, digits, _ or -" },
  namesResults: false,
  text: "not blank",
  takesEmptyMessages: false,
  takesUnsignedThinking: false,
  takesLoneSurrogates: false,
  takesImageUrls: true,
  media: { user: { image, file }, assistant: {}, toolResult: { image, file } },
  takesTurnsOnly: false,
  systemFirst: true,
};
