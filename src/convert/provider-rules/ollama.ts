import { IMAGE_TYPES } from "../../dialects/ollama/wire.js";
import type { ProviderRules } from "./rules.js";

/** It takes nearly everything, and knows no ids: results belong to calls by their order. */
export const ollama: ProviderRules = {
  name: "ollama",
  signatures: [],
  namesResults: false,
  text: "any",
  takesEmptyMessages: true,
  takesUnsignedThinking: true,
  takesLoneSurrogates: true,
  takesImageUrls: false,
  media: { user: { image: IMAGE_TYPES }, assistant: {}, toolResult: {} },
  takesTurnsOnly: false,
  systemFirst: false,
};
