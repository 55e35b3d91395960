import { IMAGE_TYPES } from "../../dialects/google/wire.js";
import type { ProviderRules } from "./rules.js";

const image = IMAGE_TYPES;
const audio = [
  "audio/wav",
  "audio/x-wav",
  "audio/mp3",
  "audio/mpeg",
  "audio/aiff",
  "audio/aac",
  "audio/ogg",
  "audio/flac",
];
const file = ["application/pdf", "text/plain", "text/markdown", "text/html", "text/csv", "text/xml"];

export const google: ProviderRules = {
  name: "google",
  signatures: ["google-generative-ai", "google-vertex", "google-gemini-cli"],
  toolName: {
    pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    words: "a letter or _, then up to 63 letters, digits, _ . : or -",
  },
  namesResults: true,
  text: "not empty",
  takesEmptyMessages: false,
  takesUnsignedThinking: true,
  takesLoneSurrogates: false,
  takesImageUrls: true,
  media: { user: { image, audio, file }, assistant: { image, audio }, toolResult: {} },
  takesTurnsOnly: true,
  systemFirst: true,
};
