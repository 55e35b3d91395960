import { DragomanError, type ErrorCode } from "../core/error.js";
import { type HttpReply, type Refusal, RefusedError, type Scope } from "./types.js";

/** The server's own words for a refusal, where no protocol has better ones. */
export function plainRefusal({ status, reason, message, details, headers = {} }: Refusal): HttpReply {
  return { status, headers, json: { error: reason, message, ...(details === undefined ? {} : { details }) } };
}

/** The same for a route that is there and one beside it that is not: whoever has no token learns nothing. */
export function unauthorized(): RefusedError {
  return new RefusedError({
    status: 401,
    reason: "unauthorized",
    message: "a token is needed: send it as `Authorization: Bearer TOKEN`",
    headers: { "www-authenticate": "Bearer" },
  });
}

export function tokenInUrl(): RefusedError {
  return badRequest(
    "a token does not belong in a URL, where histories and logs keep it: send it as `Authorization: Bearer TOKEN`",
  );
}

export function badRequest(message: string): RefusedError {
  return new RefusedError({ status: 400, reason: "invalid_request", message });
}

export function forbidden(message: string): RefusedError {
  return new RefusedError({ status: 403, reason: "forbidden", message });
}

export function scopeNeeded(needed: Scope): RefusedError {
  return new RefusedError({
    status: 403,
    reason: "forbidden",
    message: `this needs a token of scope ${needed}`,
    details: { scope: needed },
  });
}

export function notFound(): RefusedError {
  return new RefusedError({ status: 404, reason: "not_found", message: "there is nothing at this address" });
}

export function wrongMethod(allowed: readonly string[]): RefusedError {
  return new RefusedError({
    status: 405,
    reason: "invalid_request",
    message: `this address takes ${allowed.join(", ")}`,
    headers: { allow: allowed.join(", ") },
  });
}

export function upgradeNeeded(): RefusedError {
  return new RefusedError({
    status: 426,
    reason: "invalid_request",
    message: "this address speaks WebSocket",
    headers: { upgrade: "websocket" },
  });
}

export function tooLarge(limit: number): RefusedError {
  return new RefusedError({
    status: 413,
    reason: "too_large",
    message: `the body is larger than ${limit} bytes`,
    details: { limit },
  });
}

export function tooMany(message: string, headers: Readonly<Record<string, string>>): RefusedError {
  return new RefusedError({ status: 429, reason: "rate_limited", message, headers });
}

export function closingDown(): RefusedError {
  return new RefusedError({
    status: 503,
    reason: "service_unavailable",
    message: "the gateway is shutting down",
    headers: { "retry-after": "2" },
  });
}

const statusOf: Partial<Record<ErrorCode, 400 | 404 | 409 | 503>> = {
  "json/syntax": 400,
  "json/too-deep": 400,
  "framing/invalid-utf8": 400,
  "model/invalid": 400,
  "config/no-agent": 404,
  "log/bad-agent": 400,
  "log/bad-key": 400,
  "log/bad-position": 400,
  "log/ambiguous": 400,
  "log/foreign": 409,
  "log/moved": 409,
  "log/no-session": 404,
  "log/no-message": 404,
  "log/deleted": 404,
  "log/locked": 503,
  "log/disk-full": 503,
};

const reasons = {
  400: "invalid_request",
  404: "not_found",
  409: "conflict",
  503: "service_unavailable",
} as const;

/** Why a request failed, for its sender: in words where it can do something about it, without any where it cannot. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  const status = error instanceof DragomanError ? statusOf[error.code] : undefined;
  if (!(error instanceof DragomanError) || status === undefined) {
    return {
      status: 500,
      reason: "server_error",
      message: "something went wrong; the gateway's log has the details under this request's id",
    };
  }
  const { code, message, hint, at, line, column } = error;
  return { status, reason: reasons[status], message, details: { code, hint, at, line, column } };
}
