import type { Api } from "../core/provider.js";
import type { ApiName } from "./endpoints.js";

/** The code of each API, loaded when it is first called. */
const apis: Readonly<Record<ApiName, () => Promise<Api>>> = {
  anthropic: async () => (await import("../dialects/anthropic/index.js")).anthropicApi,
  "openai-chat": async () => (await import("../dialects/openai-chat/index.js")).openaiChatApi,
  "openai-responses": async () => (await import("../dialects/openai-responses/index.js")).openaiResponsesApi,
  google: async () => (await import("../dialects/google/index.js")).googleApi,
  ollama: async () => (await import("../dialects/ollama/index.js")).ollamaApi,
};

export function loadApi(name: ApiName): Promise<Api> {
  return apis[name]();
}
