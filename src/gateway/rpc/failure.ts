import type { RpcError } from "../../client/schema/index.js";
import { DragomanError } from "../../core/error.js";
import { verdictOf } from "../refusals.js";
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

/** The wire's form of an error, without what only the server's owner should see; undefined when that is all there is. */
export function rpcError(error: unknown): RpcError | undefined {
  if (error instanceof RefusedError) {
    const { reason, message, details } = error.refusal;
    return { code: byReason[reason], message, ...(details === undefined ? {} : { data: details }) };
  }
  if (!(error instanceof DragomanError)) return undefined;
  const verdict = verdictOf(error.code);
  if (verdict === undefined) return undefined;
  const { at, hint } = error;
  const data = {
    code: error.code,
    ...(at === undefined ? {} : { at }),
    ...(hint === undefined ? {} : { hint }),
  };
  return { code: byReason[verdict.reason], message: error.message, data };
}
