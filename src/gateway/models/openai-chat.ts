import type { StreamPayload } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { formatComment } from "../../framing/sse-format.js";
import type { Protocol } from "../types.js";
import type { NamedFamily } from "./family.js";
import { refuseAsOpenAi } from "./openai-errors.js";
import { readCall } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";

const family: NamedFamily = {
  api: "openai-chat",
  provider: "openai",
  streamed: (body) => ({
    ...body,
    stream: true,
    stream_options: {
      ...(isObject(body["stream_options"]) ? body["stream_options"] : {}),
      include_usage: true,
    },
  }),
  essential: {
    "/n": 1,
    "/response_format/type": "text",
    "/modalities": ["text"],
    "/audio": null,
    "/functions": [],
    "/function_call": "none",
    "/web_search_options": null,
    "/logprobs": false,
  },
  isFunction: ({ type }) => type === "function",
  idPrefix: "chatcmpl-",
  ping: () => formatComment("keep-alive"),
  adapt,
};

/** Who asks for the usage gets it in a chunk of its own, and null in all others; who does not gets none. */
function adapt({ data }: StreamPayload, { stream_options }: JsonObject): StreamPayload | undefined {
  const wanted = isObject(stream_options) && stream_options["include_usage"] === true;
  if (!isObject(data) || data["error"] !== undefined) return { data };
  if (data["usage"] !== undefined) return wanted ? { data } : undefined;
  return { data: wanted ? { ...data, usage: null } : data };
}

/** OpenAI's Chat Completions. */
export function openaiChatProtocol(ask: ServeCall): Protocol {
  return {
    http: {
      under: ["/v1/chat"],
      refuse: refuseAsOpenAi,
      routes: [
        {
          method: "POST",
          path: "/v1/chat/completions",
          scope: "chat",
          handle: async (request) => ask(family, request, await readCall(request, false)),
        },
      ],
    },
  };
}
