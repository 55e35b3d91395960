import { parsePointer } from "../../core/json/pointer.js";
import { isObject } from "../../core/json/value.js";
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

/** The codes that programs look for. */
const codes = new Map([
  ["provider/unknown", "model_not_found"],
  ["config/no-agent", "model_not_found"],
  ["provider/quota", "insufficient_quota"],
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

export function openAiError({ reason, message, details }: Refusal) {
  const { at, code } = isObject(details) ? details : {};
  return {
    message,
    type: types[reason],
    param: typeof at === "string" && at !== "" ? paramOf(at) : null,
    code: codeOf(reason, code),
  };
}

function codeOf(reason: Refusal["reason"], code: unknown): string | null {
  if (reason === "unauthorized") return "invalid_api_key";
  const known = typeof code === "string" ? codes.get(code) : undefined;
  return known ?? (reason === "rate_limited" ? "rate_limit_exceeded" : null);
}

/** `/messages/0/role` is `messages[0].role` to OpenAI. */
function paramOf(at: string): string {
  return parsePointer(at)
    .map((token) => (/^\d+$/.test(token) ? `[${token}]` : `.${token}`))
    .join("")
    .replace(/^\./, "");
}
