import { isObject, type JsonObject } from "../../core/json/value.js";
import { loadApi } from "../../dialects/registry.js";
import { formatComment } from "../../framing/sse-format.js";
import { mayUse } from "../auth/permit.js";
import type { Gateway, HttpReply, HttpRequest, Protocol } from "../types.js";
import type { NamedFamily } from "./family.js";
import { openAiRateHeaders, refuseAsOpenAi } from "./openai-errors.js";
import { readCall } from "./read-call.js";
import { echoRequest } from "./responses/echo.js";
import { ResponseRoutes } from "./responses/response-routes.js";
import { ResponseStore } from "./responses/response-store.js";
import { ResponsesState } from "./responses/responses-state.js";
import type { ServeCall } from "./serve-call.js";

const API = "openai-responses";

/** Where responses and conversations are stored. */
export function responseStore(gateway: Gateway): ResponseStore {
  return new ResponseStore(gateway, () => loadApi(API));
}

/** OpenAI's Responses. */
export function openaiResponsesProtocol(gateway: Gateway, store: ResponseStore, ask: ServeCall): Protocol {
  const stored = new ResponseRoutes(gateway, store);
  const running: NonNullable<NamedFamily["running"]> = new Map();
  const family: NamedFamily = {
    api: API,
    provider: "openai",
    modelAt: "/response/model",
    essential: { "/background": false, "/prompt": null },
    fulfilled: { "/include": ["reasoning.encrypted_content"], "/reasoning/summary": "auto" },
    kept: ["/metadata"],
    list: "input",
    roles: ["user", "assistant", "system", "developer"],
    isFunction: ({ type }) => ["function", "custom", "namespace", "local_shell"].some((own) => own === type),
    toolLists,
    definitions,
    ping: () => formatComment("keep-alive"),
    echo: echoRequest,
    state: new ResponsesState(gateway, store),
    adapt: ({ event, data }, body) => {
      const response = isObject(data) ? data["response"] : undefined;
      const shown =
        isObject(data) && isObject(response) ? { ...data, response: echoRequest(response, body) } : data;
      return { data: shown, ...(event === undefined ? {} : { event }) };
    },
    running,
  };

  async function cancel(request: HttpRequest): Promise<HttpReply> {
    const { id = "" } = request.params;
    const run = running.get(id.replace(/^resp_/, ""));
    if (run === undefined || !mayUse(request.caller, run.agent)) return stored.cancel(request);
    const api = await loadApi(family.api);
    return { status: 200, json: api.response(run.stop()) };
  }

  return {
    http: {
      under: ["/v1/responses"],
      refuse: refuseAsOpenAi,
      rateHeaders: openAiRateHeaders,
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
        ...stored.routes,
      ],
    },
  };
}

/** A request can have tools in its input too, as Codex sends them. */
function toolLists({ input }: JsonObject): string[] {
  const items = Array.isArray(input) ? input : [];
  const added = items.flatMap((item, index) =>
    isObject(item) && item["type"] === "additional_tools" ? [`/input/${index}/tools`] : [],
  );
  return ["/tools", ...added];
}

function definitions({ type, tools }: JsonObject): string[] {
  if (type !== "namespace" || !Array.isArray(tools)) return [""];
  return tools.flatMap((tool, index) => (isObject(tool) ? [`/tools/${index}`] : []));
}
