import { anthropic } from "./anthropic.js";
import { google } from "./google.js";
import { ollama } from "./ollama.js";
import { openaiChat } from "./openai-chat.js";
import { openaiResponses } from "./openai-responses.js";
import type { Provider, ProviderRules } from "./rules.js";

export const rulesOf: Readonly<Record<Provider, ProviderRules>> = {
  anthropic,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  google,
  ollama,
};
