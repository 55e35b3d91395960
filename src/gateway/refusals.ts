import { DragomanError, type ErrorCode } from "../core/error.js";
import { type HttpReply, type Refusal, RefusedError, type Scope } from "./types.js";

/** The server's own words for a refusal, where no protocol has better ones. */
export function plainRefusal({ status, reason, message, details, headers = {} }: Refusal): HttpReply {
  return { status, headers, json: { error: reason, message, ...(details === undefined ? {} : { details }) } };
}

const statuses: Readonly<Record<Refusal["reason"], number>> = {
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

/** A refusal with the status that its reason has. */
export function refuse(
  reason: Refusal["reason"],
  message: string,
  more: Pick<Refusal, "details" | "headers"> = {},
): RefusedError {
  return new RefusedError({ status: statuses[reason], reason, message, ...more });
}

/** The same for a route that is there and one beside it that is not: whoever has no token learns nothing. */
export function unauthorized(): RefusedError {
  return refuse("unauthorized", "missing or unknown token: send it as `Authorization: Bearer TOKEN`", {
    headers: { "www-authenticate": "Bearer" },
  });
}

export function tokenInUrl(): RefusedError {
  return badRequest(
    "a token does not belong in a URL, where histories and logs keep it: send it as `Authorization: Bearer TOKEN`",
  );
}

export function badRequest(message: string): RefusedError {
  return refuse("invalid_request", message);
}

export function forbidden(message: string): RefusedError {
  return refuse("forbidden", message);
}

export function scopeNeeded(needed: Scope): RefusedError {
  return refuse("forbidden", `this needs a token of scope ${needed}`, { details: { scope: needed } });
}

export function notFound(message = "there is nothing at this address"): RefusedError {
  return refuse("not_found", message);
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
  return refuse("too_large", `the body is larger than ${limit} bytes`, { details: { limit } });
}

export function tooMany(message: string, headers: Readonly<Record<string, string>>): RefusedError {
  return refuse("rate_limited", message, { headers });
}

export function closingDown(): RefusedError {
  return refuse("service_unavailable", "the gateway is shutting down", { headers: { "retry-after": "2" } });
}

const reasons: Partial<Record<string, Refusal["reason"]>> = {
  "json/syntax": "invalid_request",
  "json/too-deep": "invalid_request",
  "framing/invalid-utf8": "invalid_request",
  "model/invalid": "invalid_request",
  "convert/unknown-dialect": "invalid_request",
  "config/no-agent": "not_found",
  "log/bad-agent": "invalid_request",
  "log/bad-key": "invalid_request",
  "log/bad-position": "invalid_request",
  "log/ambiguous": "invalid_request",
  "log/no-session": "not_found",
  "log/no-message": "not_found",
  "log/deleted": "not_found",
  "log/foreign": "conflict",
  "log/moved": "conflict",
  "log/read-only": "conflict",
  "log/replaced": "service_unavailable",
  "log/locked": "service_unavailable",
  "log/disk-full": "service_unavailable",
} satisfies Partial<Record<ErrorCode, Refusal["reason"]>>;

/** What an error of ours means to whoever asked; undefined for what only the server's owner can do something about. */
export function verdictOf(code: string): Pick<Refusal, "status" | "reason"> | undefined {
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return reason === undefined ? undefined : { status: statuses[reason], reason };
}

/** The error of ours that tells a client most: a run that could not store a message wraps the reason for that. */
export function causeOf(error: unknown): DragomanError | undefined {
  if (!(error instanceof DragomanError)) return undefined;
  const { code, cause } = error;
  return code === "agent/not-stored" && cause instanceof DragomanError ? cause : error;
}

/** Why a request failed, for its sender: in words where it can do something about it, without any where it cannot. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  const own = causeOf(error);
  const verdict = own === undefined ? undefined : verdictOf(own.code);
  if (own === undefined || verdict === undefined) {
    return {
      status: 500,
      reason: "server_error",
      message: "something went wrong; the gateway's log has the details under this request's id",
    };
  }
  const { code, message, hint, at, line, column } = own;
  return { ...verdict, message, details: { code, hint, at, line, column } };
}
