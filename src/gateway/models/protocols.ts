import type { Gateway, Protocol } from "../types.js";
import { anthropicProtocol } from "./anthropic.js";
import { googleProtocol } from "./google.js";
import { ModelList } from "./model-list.js";
import { modelListProtocol } from "./model-list-protocol.js";
import { ollamaProtocol } from "./ollama.js";
import { openaiChatProtocol } from "./openai-chat.js";
import { openaiResponsesProtocol, responseStore } from "./openai-responses.js";
import { conversationsProtocol } from "./responses/conversations.js";
import { type ModelOptions, makeServeCall } from "./serve-call.js";
import { makeServeEmbedding } from "./serve-embedding.js";

/** The endpoints of the model providers, so that their clients can use our agents and models. */
export function modelProtocols(gateway: Gateway, options: ModelOptions = {}): Protocol[] {
  const ask = makeServeCall(gateway, options);
  const embed = makeServeEmbedding(gateway);
  const models = new ModelList(gateway);
  const responses = responseStore(gateway);
  return [
    openaiChatProtocol(ask, embed),
    openaiResponsesProtocol(gateway, responses, ask),
    conversationsProtocol(gateway, responses),
    anthropicProtocol(ask),
    googleProtocol(models, ask, embed),
    ollamaProtocol(models, ask, embed),
    modelListProtocol(models),
  ];
}
