import type { RpcError } from "../../client/schema/index.js";
import { DragomanError, type ErrorCode } from "../../core/error.js";
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

/** What the caller can do something about. */
const byCode: Partial<Record<ErrorCode, number>> = {
  "model/invalid": CODES.invalidParams,
  "convert/unknown-dialect": CODES.invalidParams,
  "log/bad-agent": CODES.invalidParams,
  "log/bad-key": CODES.invalidParams,
  "log/bad-position": CODES.invalidParams,
  "log/ambiguous": CODES.invalidParams,
  "config/no-agent": CODES.notFound,
  "log/no-session": CODES.notFound,
  "log/no-message": CODES.notFound,
  "log/foreign": CODES.conflict,
  "log/locked": CODES.conflict,
  "log/moved": CODES.conflict,
  "log/disk-full": CODES.unavailable,
};

/** The wire's form of an error, without what only the server's owner should see; undefined when that is all there is. */
export function rpcError(error: unknown): RpcError | undefined {
  if (error instanceof RefusedError) {
    const { reason, message, details } = error.refusal;
    return { code: byReason[reason], message, ...(details === undefined ? {} : { data: details }) };
  }
  if (!(error instanceof DragomanError)) return undefined;
  const code = byCode[error.code];
  if (code === undefined) return undefined;
  const { at, hint } = error;
  const data = {
    code: error.code,
    ...(at === undefined ? {} : { at }),
    ...(hint === undefined ? {} : { hint }),
  };
  return { code, message: error.message, data };
}

export function refuse(reason: Refusal["reason"], message: string, details?: unknown): RefusedError {
  return new RefusedError({
    status: statuses[reason],
    reason,
    message,
    ...(details === undefined ? {} : { details }),
  });
}

const statuses: Record<Refusal["reason"], number> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  server_error: 500,
  service_unavailable: 503,
};
