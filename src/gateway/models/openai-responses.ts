import { isObject, type JsonObject } from "../../core/json/value.js";
import { loadApi } from "../../dialects/registry.js";
import { formatComment } from "../../framing/sse-format.js";
import { mayUse } from "../auth/permit.js";
import { notFound } from "../refusals.js";
import type { HttpReply, HttpRequest, Protocol } from "../types.js";
import type { NamedFamily } from "./family.js";
import { refuseAsOpenAi } from "./openai-errors.js";
import { readCall } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";

/** The fields of a request that a response repeats. */
const ECHOED = [
  "instructions",
  "max_output_tokens",
  "metadata",
  "parallel_tool_calls",
  "reasoning",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_p",
  "user",
];

function echo(response: JsonObject, body: JsonObject): JsonObject {
  const asked = ECHOED.flatMap((field) => (body[field] == null ? [] : [[field, body[field]]]));
  return { ...response, ...Object.fromEntries(asked) };
}

/** OpenAI's Responses. */
export function openaiResponsesProtocol(ask: ServeCall): Protocol {
  const running: NonNullable<NamedFamily["running"]> = new Map();
  const family: NamedFamily = {
    api: "openai-responses",
    provider: "openai",
    modelAt: "/response/model",
    essential: {
      "/background": false,
      "/previous_response_id": null,
      "/conversation": null,
      "/prompt": null,
    },
    fulfilled: { "/include": ["reasoning.encrypted_content"], "/reasoning/summary": "auto" },
    list: "input",
    roles: ["user", "assistant", "system", "developer"],
    isFunction: ({ type }) => ["function", "custom", "namespace", "local_shell"].some((own) => own === type),
    ping: () => formatComment("keep-alive"),
    echo,
    adapt: ({ event, data }, body) => {
      const response = isObject(data) ? data["response"] : undefined;
      const shown = isObject(data) && isObject(response) ? { ...data, response: echo(response, body) } : data;
      return { data: shown, ...(event === undefined ? {} : { event }) };
    },
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
