import { type ApiRules, plainName } from "../../core/api/api-rules.js";
import { whyUnsupported, writePart } from "./parts.js";
import { IMAGE_TYPES } from "./wire.js";

const user = {
  image: IMAGE_TYPES,
  audio: ["audio/wav", "audio/x-wav", "audio/wave", "audio/mpeg", "audio/mp3"],
  file: ["application/pdf"],
};

export const rules: ApiRules = {
  toolId: {
    pattern: /^[\x21-\x7e]+$/,
    maxLength: 40,
    words: "1 to 40 printable ASCII characters without spaces",
  },
  toolName: plainName(64),
  namesResults: false,
  text: "any",
  acceptsEmptyMessages: false,
  acceptsLoneSurrogates: false,
  unsignedThinking: "accepted",
  signatures: [],
  signs: ["call"],
  media: { user, assistant: {}, toolResult: {} },
  refuses: (block) => (writePart(block) === undefined ? whyUnsupported(block) : undefined),
  urlSchemes: ["https", "http"],
  imageDetail: true,
  joinsTexts: true,
  trimsLastAnswer: false,
  alternates: false,
  systemFirst: false,
  anyJson: "mentioned",
};
