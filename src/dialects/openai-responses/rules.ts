import { type ApiRules, plainName } from "../../core/api/api-rules.js";
import { IMAGE_TYPES } from "./wire.js";

const media = { image: IMAGE_TYPES, file: ["*/*"] };

export const rules: ApiRules = {
  toolId: {
    pattern: /^[\x21-\x7e]+$/,
    maxLength: 64,
    words: "1 to 64 printable ASCII characters without spaces",
  },
  toolName: plainName(64),
  namesResults: false,
  text: "any",
  acceptsEmptyMessages: false,
  acceptsLoneSurrogates: false,
  unsignedThinking: "ignored",
  signatures: ["openai-responses", "azure-openai-responses", "openai-codex-responses"],
  // A signature is a reasoning item as JSON.
  isSignature: (signature) => signature.startsWith("{"),
  signs: ["text"],
  media: { user: media, assistant: {}, toolResult: media },
  urlSchemes: ["https", "http"],
  imageDetail: true,
  joinsTexts: false,
  trimsLastAnswer: false,
  alternates: false,
  systemFirst: false,
  anyJson: "mentioned in a message",
};
