import { type ApiRules, plainName } from "../../core/api/api-rules.js";
import { API, DOCUMENT_FORMATS, IMAGE_FORMATS } from "./wire.js";

const media = { image: [...IMAGE_FORMATS.keys()], file: [...DOCUMENT_FORMATS.keys(), "text/*"] };

export const rules: ApiRules = {
  toolId: plainName(64),
  toolName: plainName(64),
  namesResults: false,
  text: "not blank",
  acceptsEmptyMessages: false,
  acceptsLoneSurrogates: false,
  unsignedThinking: "refused",
  signatures: [API],
  signs: [],
  media: { user: media, assistant: {}, toolResult: media },
  urlSchemes: [],
  imageDetail: false,
  joinsTexts: false,
  trimsLastAnswer: true,
  alternates: true,
  systemFirst: true,
  anyJson: "prompt",
};
