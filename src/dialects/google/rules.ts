import type { ApiRules } from "../../core/api/api-rules.js";
import { IMAGE_TYPES } from "./wire.js";

const audio = ["audio/*"];
const file = ["application/pdf", "application/x-javascript", "application/x-python", "text/*", "video/*"];

const media = { image: IMAGE_TYPES, audio, file };

export const rules: ApiRules = {
  toolId: {
    pattern: /^[A-Za-z0-9_.:-]+$/,
    maxLength: 128,
    words: "1 to 128 letters, digits, _ . : or -",
  },
  toolName: {
    pattern: /^[A-Za-z_][A-Za-z0-9_.:-]*$/,
    maxLength: 64,
    words: "a letter or _, then up to 63 letters, digits, _ . : or -",
  },
  namesResults: true,
  text: "not empty",
  acceptsEmptyMessages: false,
  acceptsLoneSurrogates: false,
  unsignedThinking: "ignored",
  signatures: ["google-generative-ai", "google-vertex", "google-gemini-cli"],
  signs: ["text", "call"],
  media: { user: media, assistant: { image: IMAGE_TYPES, audio }, toolResult: media },
  urlSchemes: ["https", "http", "gs"],
  imageDetail: false,
  joinsTexts: false,
  trimsLastAnswer: false,
  alternates: true,
  systemFirst: true,
};
