import { type ApiRules, plainName } from "../../core/api/api-rules.js";
import { writeGivenBlock } from "./parts.js";
import { IMAGE_TYPES } from "./wire.js";

const media = { image: IMAGE_TYPES, file: ["application/pdf", "text/*"] };

export const rules: ApiRules = {
  toolId: plainName(64),
  toolName: plainName(128),
  namesResults: false,
  text: "not blank",
  acceptsEmptyMessages: false,
  acceptsLoneSurrogates: false,
  unsignedThinking: "refused",
  signatures: ["anthropic-messages"],
  signs: [],
  media: { user: media, assistant: {}, toolResult: media },
  refuses: (block) =>
    writeGivenBlock(block) === undefined ? "this API accepts only PDF and text files" : undefined,
  urlSchemes: ["https", "http"],
  imageDetail: false,
  joinsTexts: false,
  trimsLastAnswer: true,
  alternates: false,
  systemFirst: true,
  anyJson: "prompt",
};
