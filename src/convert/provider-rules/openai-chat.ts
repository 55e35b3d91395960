import { IMAGE_TYPES } from "../../dialects/openai-chat/wire.js";
import type { ProviderRules } from "./rules.js";

export const openaiChat: ProviderRules = {
  name: "openai-chat",
  signatures: [],
  toolId: { pattern: /^.{1,40}$/s, words: "1 to 40 characters", maxLength: 40 },
  toolName: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, words: "1 to 64 letters, digits, _ or -" },
  namesResults: false,
  text: "any",
  takesEmptyMessages: false,
  takesUnsignedThinking: true,
  takesLoneSurrogates: false,
  takesImageUrls: true,
  media: {
    user: {
      image: IMAGE_TYPES,
      audio: ["audio/wav", "audio/x-wav", "audio/mpeg", "audio/mp3"],
      file: ["application/pdf"],
    },
    assistant: {},
    toolResult: {},
  },
  takesTurnsOnly: false,
  systemFirst: false,
};
