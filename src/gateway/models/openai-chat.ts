import type { StreamPayload } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { formatComment } from "../../framing/sse-format.js";
import type { Protocol } from "../types.js";
import type { NamedFamily } from "./family.js";
import { openAiRateHeaders, refuseAsOpenAi } from "./openai-errors.js";
import { readCall } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";
import type { ServeEmbedding } from "./serve-embedding.js";

const family: NamedFamily = {
  api: "openai-chat",
  provider: "openai",
  modelAt: "/model",
  essential: {
    "/n": 1,
    "/modalities": ["text"],
    "/audio": null,
    "/functions": [],
    "/function_call": "none",
    "/web_search_options": null,
    "/logprobs": false,
  },
  fulfilled: { "/store": false },
  list: "messages",
  roles: ["developer", "system", "user", "assistant", "tool", "function"],
  isFunction: ({ type }) => type === "function",
  definitions: () => ["/function"],
  idPrefix: "chatcmpl-",
  ping: () => formatComment("keep-alive"),
  adapt,
  conceal,
};

/** A client that requests the usage gets it in a separate chunk, and null in all others. Other clients get no usage. */
function adapt({ data }: StreamPayload, body: JsonObject): StreamPayload | undefined {
  if (!isObject(data) || data["error"] !== undefined) return { data };
  if (wantsUsage(body)) return { data: { usage: null, ...data } };
  const shown = conceal(data, body);
  return shown === undefined ? undefined : { data: shown };
}

function conceal(chunk: JsonObject, body: JsonObject): JsonObject | undefined {
  if (wantsUsage(body) || chunk["usage"] === undefined) return chunk;
  const { usage: _, ...rest } = chunk;
  const { choices } = rest;
  return Array.isArray(choices) && choices.length === 0 ? undefined : rest;
}

function wantsUsage({ stream_options: options }: JsonObject): boolean {
  return isObject(options) && options["include_usage"] === true;
}

/** OpenAI's Chat Completions API, and its embeddings. */
export function openaiChatProtocol(ask: ServeCall, embed: ServeEmbedding): Protocol {
  return {
    http: {
      under: ["/v1/chat", "/v1/embeddings"],
      refuse: refuseAsOpenAi,
      rateHeaders: openAiRateHeaders,
      routes: [
        {
          method: "POST",
          path: "/v1/chat/completions",
          scope: "chat",
          handle: async (request) => ask(family, request, await readCall(request, false)),
        },
        {
          method: "POST",
          path: "/v1/embeddings",
          scope: "chat",
          handle: async (request) => {
            const { body, model } = await readCall(request, false);
            return embed(family, request, { body, model, endpoint: "embeddings" });
          },
        },
      ],
    },
  };
}
