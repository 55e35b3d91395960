import type { ApiRules } from "../../core/api/api-rules.js";
import { IMAGE_TYPES } from "./wire.js";

// An image of which nobody knows what it is goes back to a server that accepted it.
const media = { image: [...IMAGE_TYPES, "application/octet-stream"] };

/** It accepts nearly everything. */
export const rules: ApiRules = {
  namesResults: false,
  text: "any",
  acceptsEmptyMessages: true,
  acceptsLoneSurrogates: true,
  unsignedThinking: "accepted",
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
