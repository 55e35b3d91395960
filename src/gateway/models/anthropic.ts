import { isObject } from "../../core/json/value.js";
import { formatSse } from "../../framing/sse-format.js";
import type { Rate } from "../auth/rate-limit.js";
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

/** `{ type: "error", error: { type, message }, request_id }`; overload has its own status, 529. */
function refuse({ status, reason, message, details, headers }: Refusal, requestId: string): HttpReply {
  const { reported } = isObject(details) ? details : {};
  const own = details === THREADS ? { details } : isObject(reported) ? reported : {};
  return {
    status: reason === "service_unavailable" ? 529 : status,
    headers: { ...headers, "request-id": requestId },
    json: {
      type: "error",
      error: {
        ...anthropicError(reason, message),
        ...(typeof own["type"] === "string" ? { type: own["type"] } : {}),
        ...(own["details"] === undefined ? {} : { details: own["details"] }),
      },
      request_id: requestId,
    },
  };
}

export function anthropicError(reason: Refusal["reason"], message: string) {
  return { type: types[reason], message };
}

/** The time is when all requests are available again. */
function rateHeaders({ limit, remaining, reset }: Rate, now: number): Record<string, string> {
  return {
    "anthropic-ratelimit-requests-limit": String(limit),
    "anthropic-ratelimit-requests-remaining": String(remaining),
    "anthropic-ratelimit-requests-reset": new Date(now + reset * 1000).toISOString(),
  };
}

/** Anthropic's client recognises this error, and sends whole histories instead. */
const THREADS = { error_code: "thread_unsupported_request", unsupported: ["thread"] };

/** The server keeps a thread, so a request that continues one has only the newest messages. */
function threadsUnsupported(): RefusedError {
  return refuseRequest(
    "invalid_request",
    "the gateway does not support threads: send the whole conversation in `messages`",
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
  schemaFields: ["input_schema"],
  ping: () => formatSse({ event: "ping", data: '{"type":"ping"}' }),
};

/** Anthropic's Messages API. */
export function anthropicProtocol(ask: ServeCall): Protocol {
  return {
    http: {
      keyHeaders: ["x-api-key"],
      under: ["/v1/messages"],
      refuse,
      rateHeaders,
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
