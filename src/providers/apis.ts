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

/** All of them, one after the other, for a server whose first caller should not have to wait. */
export async function loadApis(): Promise<void> {
  for (const load of Object.values(apis)) await load();
}

export function loadApi(name: ApiName): Promise<Api> {
  return apis[name]();
}
