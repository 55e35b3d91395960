import { openaiResponsesApi } from "../../dialects/openai-responses/index.js";
import { formatComment } from "../../framing/sse-format.js";
import { notFound } from "../refusals.js";
import type { HttpReply, Protocol } from "../types.js";
import type { Ask } from "./ask.js";
import { askedIn } from "./body.js";
import type { Family } from "./family.js";
import { refuseAsOpenAi } from "./openai-errors.js";

/** OpenAI's Responses. */
export function openaiResponsesProtocol(ask: Ask): Protocol {
  const running: NonNullable<Family["running"]> = new Map();
  const family: Family = {
    api: openaiResponsesApi,
    streamed: (body) => ({ ...body, stream: true }),
    essential: {
      "/background": false,
      "/previous_response_id": null,
      "/conversation": null,
      "/prompt": null,
      "/text/format/type": "text",
    },
    isFunction: ({ type }) => type === "function",
    ping: () => formatComment("keep-alive"),
    running,
  };

  function cancel(id: string): HttpReply {
    const stop = running.get(id.replace(/^resp_/, ""));
    if (stop !== undefined) return { status: 200, json: openaiResponsesApi.response(stop()) };
    throw notFound("there is no such response of an agent that is under way");
  }

  return {
    http: {
      under: ["/v1/responses"],
      refuse: refuseAsOpenAi,
      routes: [
        {
          method: "POST",
          path: "/v1/responses",
          scope: "chat",
          handle: async (request) => ask(family, request, await askedIn(request, false)),
        },
        {
          method: "POST",
          path: "/v1/responses/:id/cancel",
          scope: "chat",
          handle: async ({ params }) => cancel(params["id"] ?? ""),
        },
      ],
    },
  };
}
