import { joinPointer, parsePointer } from "../../core/json/pointer.js";
import { isObject } from "../../core/json/value.js";
import type { Rate } from "../auth/rate-limit.js";
import type { HttpReply, Refusal } from "../types.js";
import { PREVIOUS_NOT_FOUND } from "./responses/refusals.js";

const types: Readonly<Record<Refusal["reason"], string>> = {
  invalid_request: "invalid_request_error",
  unauthorized: "invalid_request_error",
  forbidden: "permission_error",
  not_found: "invalid_request_error",
  conflict: "invalid_request_error",
  too_large: "invalid_request_error",
  rate_limited: "rate_limit_error",
  server_error: "server_error",
  service_unavailable: "server_error",
};

/** OpenAI's codes that clients check. */
const codes = new Map([
  ["provider/unknown", "model_not_found"],
  ["config/no-agent", "model_not_found"],
  ["provider/quota", "insufficient_quota"],
  ["budget/spent", "insufficient_quota"],
  ["provider/context-overflow", "context_length_exceeded"],
  [PREVIOUS_NOT_FOUND, "previous_response_not_found"],
]);

/** `{ error: { message, type, param, code } }` */
export function refuseAsOpenAi(refusal: Refusal): HttpReply {
  return {
    status: refusal.status,
    headers: { ...refusal.headers },
    json: { error: openAiError(refusal) },
  };
}

/** `x-ratelimit-reset-requests: 6s` */
export function openAiRateHeaders({ limit, remaining, reset }: Rate): Record<string, string> {
  return {
    "x-ratelimit-limit-requests": String(limit),
    "x-ratelimit-remaining-requests": String(remaining),
    "x-ratelimit-reset-requests": `${reset}s`,
  };
}

export function openAiError({ reason, message, details }: Refusal) {
  const { at, code, reported } = isObject(details) ? details : {};
  const own = isObject(reported) ? reported : {};
  return {
    message,
    type: own["type"] ?? types[reason],
    param: typeof at === "string" && at !== "" ? paramOf(at) : (own["param"] ?? null),
    code: own["code"] ?? codeOf(reason, code),
  };
}

function codeOf(reason: Refusal["reason"], code: unknown): string | null {
  if (reason === "unauthorized") return "invalid_api_key";
  const known = typeof code === "string" ? codes.get(code) : undefined;
  return known ?? (reason === "rate_limited" ? "rate_limit_exceeded" : null);
}

/** OpenAI writes `/messages/0/role` as `messages[0].role`. */
export function paramOf(at: string): string {
  return parsePointer(at)
    .map((token) => (/^\d+$/.test(token) ? `[${token}]` : `.${token}`))
    .join("")
    .replace(/^\./, "");
}

/** The pointer of a `param`. */
export function placeOf(param: string): string {
  return joinPointer("", ...param.split(/[.[\]]+/).filter((token) => token !== ""));
}
