import type { RpcError } from "../../protocol/schema.js";
import { causeOf, verdictOf } from "../refusals.js";
import { type Refusal, RefusedError } from "../types.js";
import { CODES } from "./json-rpc.js";

const byReason: Record<Refusal["reason"], number> = {
  invalid_request: CODES.invalidParams,
  unauthorized: CODES.forbidden,
  forbidden: CODES.forbidden,
  not_found: CODES.notFound,
  conflict: CODES.conflict,
  too_large: CODES.tooLarge,
  rate_limited: CODES.busy,
  server_error: CODES.internal,
  service_unavailable: CODES.unavailable,
};

/** An error as JSON-RPC, without details meant for the server's owner; undefined if nothing else is left. */
export function rpcError(error: unknown): RpcError | undefined {
  if (error instanceof RefusedError) {
    const { reason, message, details } = error.refusal;
    return { code: byReason[reason], message, data: details };
  }
  const own = causeOf(error);
  const verdict = own === undefined ? undefined : verdictOf(own.code);
  if (own === undefined || verdict === undefined) return undefined;
  const { code, message, at, hint } = own;
  return { code: byReason[verdict.reason], message, data: { code, at, hint } };
}
