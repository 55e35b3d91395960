import { loadApi } from "../../dialects/registry.js";
import { formatComment } from "../../framing/sse-format.js";
import { mayUse } from "../auth/permit.js";
import { notFound } from "../refusals.js";
import type { HttpReply, HttpRequest, Protocol } from "../types.js";
import type { NamedFamily } from "./family.js";
import { refuseAsOpenAi } from "./openai-errors.js";
import { readCall } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";

/** OpenAI's Responses. */
export function openaiResponsesProtocol(ask: ServeCall): Protocol {
  const running: NonNullable<NamedFamily["running"]> = new Map();
  const family: NamedFamily = {
    api: "openai-responses",
    provider: "openai",
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

  async function cancel({ params, caller }: HttpRequest): Promise<HttpReply> {
    const { id = "" } = params;
    const run = running.get(id.replace(/^resp_/, ""));
    if (run === undefined || !mayUse(caller, run.agent))
      throw notFound("there is no such response of an agent that is under way");
    const api = await loadApi(family.api);
    return { status: 200, json: api.response(run.stop()) };
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
          handle: async (request) => ask(family, request, await readCall(request, false)),
        },
        {
          method: "POST",
          path: "/v1/responses/:id/cancel",
          scope: "chat",
          handle: cancel,
        },
      ],
    },
  };
}
