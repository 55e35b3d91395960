import { IMAGE_TYPES } from "../../dialects/openai-responses/wire.js";
import type { ProviderRules } from "./rules.js";

const image = IMAGE_TYPES;
const file = ["application/pdf"];

export const openaiResponses: ProviderRules = {
  name: "openai-responses",
  signatures: ["openai-responses", "azure-openai-responses", "openai-codex-responses"],
  toolId: {
    // Some transcripts keep the id of the call and that of its item in one: call_1|fc_1
    pattern: /^[^|]{1,64}(?:\|fc_[A-Za-z0-9_-]{1,61})?$/,
    words: "1 to 64 characters",
    maxLength: 64,
  },
  toolName: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, words: "1 to 64 letters, digits, _ or -" },
  namesResults: false,
  text: "any",
  takesEmptyMessages: false,
  takesUnsignedThinking: true,
  takesLoneSurrogates: false,
  takesImageUrls: true,
  media: { user: { image, file }, assistant: {}, toolResult: { image, file } },
  takesTurnsOnly: false,
  systemFirst: false,
};
