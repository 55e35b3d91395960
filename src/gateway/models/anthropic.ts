import { formatSse } from "../../framing/sse-format.js";
import { refuse as refuseRequest } from "../refusals.js";
import type { HttpReply, Protocol, Refusal, RefusedError } from "../types.js";
import { countTokens } from "./count-tokens.js";
import type { NamedFamily } from "./family.js";
import { readCall } from "./read-call.js";
import type { ServeCall } from "./serve-call.js";

const types: Readonly<Record<Refusal["reason"], string>> = {
  invalid_request: "invalid_request_error",
  unauthorized: "authentication_error",
  forbidden: "permission_error",
  not_found: "not_found_error",
  conflict: "invalid_request_error",
  too_large: "request_too_large",
  rate_limited: "rate_limit_error",
  server_error: "api_error",
  service_unavailable: "overloaded_error",
};

/** `{ type: "error", error: { type, message }, request_id }`; overloaded has a status of its own. */
function refuse({ status, reason, message, details, headers }: Refusal, requestId: string): HttpReply {
  const shown = details === THREADS ? { details } : {};
  return {
    status: reason === "service_unavailable" ? 529 : status,
    headers: { ...headers, "request-id": requestId },
    json: {
      type: "error",
      error: { ...anthropicError(reason, message), ...shown },
      request_id: requestId,
    },
  };
}

export function anthropicError(reason: Refusal["reason"], message: string) {
  return { type: types[reason], message };
}

/** What Anthropic's client looks for: it then sends whole histories instead. */
const THREADS = { error_code: "thread_unsupported_request", unsupported: ["thread"] };

/** A thread is held by the server, and a request that continues one has only the newest messages. */
function threadsUnsupported(): RefusedError {
  return refuseRequest(
    "invalid_request",
    "the gateway keeps no threads: send the whole conversation in `messages`",
    {
      details: THREADS,
      headers: { "x-should-retry": "false" },
    },
  );
}

const family: NamedFamily = {
  api: "anthropic",
  provider: "anthropic",
  modelAt: "/message/model",
  essential: {
    "/mcp_servers": [],
    "/container": null,
  },
  fulfilled: { "/thinking/display": "summarized" },
  list: "messages",
  required: ["max_tokens"],
  roles: ["user", "assistant", "system"],
  isFunction: ({ type }) =>
    type === undefined || type === "custom" || /^(?:bash|text_editor)_\d+$/.test(String(type)),
  ping: () => formatSse({ event: "ping", data: '{"type":"ping"}' }),
};

/** Anthropic's Messages. */
export function anthropicProtocol(ask: ServeCall): Protocol {
  return {
    http: {
      keyHeaders: ["x-api-key"],
      under: ["/v1/messages"],
      refuse,
      routes: [
        {
          method: "POST",
          path: "/v1/messages",
          scope: "chat",
          handle: async (request) => {
            const call = await readCall(request, false);
            if (call.body["thread"] != null) throw threadsUnsupported();
            const reply = await ask(family, request, call);
            return { ...reply, headers: { ...reply.headers, "request-id": request.id } };
          },
        },
        {
          method: "POST",
          path: "/v1/messages/count_tokens",
          scope: "chat",
          handle: async (request) => {
            const { body } = await readCall(request, false);
            return countTokens("anthropic", body, "input_tokens");
          },
        },
      ],
    },
  };
}
