import type { ApiRules } from "../../core/api/api-rules.js";
import { IMAGE_TYPES } from "./wire.js";

// `application/octet-stream` is an image of unknown type that an Ollama server has accepted before.
const media = { image: [...IMAGE_TYPES, "application/octet-stream"] };

/** Ollama accepts nearly everything. */
export const rules: ApiRules = {
  namesResults: false,
  text: "any",
  acceptsEmptyMessages: true,
  acceptsLoneSurrogates: true,
  unsignedThinking: "accepted",
  unknownThinking: true,
  signatures: [],
  signs: [],
  media: { user: media, assistant: {}, toolResult: media },
  urlSchemes: [],
  imageDetail: false,
  joinsTexts: true,
  trimsLastAnswer: false,
  alternates: false,
  systemFirst: false,
};
