import { DragomanError, type ErrorCode } from "../core/error.js";
import { type HttpReply, type Refusal, RefusedError, type Scope } from "./types.js";

/** The error format for paths outside every protocol. */
export function plainRefusal({ status, reason, message, details, headers = {} }: Refusal): HttpReply {
  return { status, headers, json: { error: reason, message, details } };
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

/** A refusal with its reason's status. */
export function refuse(
  reason: Refusal["reason"],
  message: string,
  more: Pick<Refusal, "details" | "headers"> = {},
): RefusedError {
  return new RefusedError({ status: statuses[reason], reason, message, ...more });
}

/** The same whether or not the route exists, so that it reveals nothing without a token. */
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
  return refuse("forbidden", `this needs a token with scope ${needed}`, { details: { scope: needed } });
}

/** A token of a share link is for one session only. */
export function onlyShared(): RefusedError {
  return refuse("forbidden", "this token only allows reading the session that was shared");
}

export function notFound(message = "there is nothing at this address"): RefusedError {
  return refuse("not_found", message);
}

export function wrongMethod(allowed: readonly string[]): RefusedError {
  return new RefusedError({
    status: 405,
    reason: "invalid_request",
    message: `this address accepts only ${allowed.join(", ")}`,
    headers: { allow: allowed.join(", ") },
  });
}

export function upgradeNeeded(): RefusedError {
  return new RefusedError({
    status: 426,
    reason: "invalid_request",
    message: "this address accepts only WebSocket connections",
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
  "gateway/no-token": "not_found",
  "log/bad-agent": "invalid_request",
  "log/bad-key": "invalid_request",
  "log/bad-position": "invalid_request",
  "log/ambiguous": "invalid_request",
  "log/no-session": "not_found",
  "log/no-source": "not_found",
  "log/no-message": "not_found",
  "log/deleted": "not_found",
  "log/foreign": "conflict",
  "log/moved": "conflict",
  "log/read-only": "conflict",
  "log/replaced": "service_unavailable",
  "log/unavailable": "service_unavailable",
  "log/unclear": "service_unavailable",
  "log/locked": "service_unavailable",
  "log/disk-full": "service_unavailable",
  "tools/no-workspace": "conflict",
  "acp/not-ours": "invalid_request",
  "budget/no-price": "forbidden",
  "budget/spent": "rate_limited",
} satisfies Partial<Record<ErrorCode, Refusal["reason"]>>;

/** How an error is reported to the client; undefined if only the server's owner can fix it. */
export function verdictOf(code: string): Pick<Refusal, "status" | "reason"> | undefined {
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return reason === undefined ? undefined : { status: statuses[reason], reason };
}

/** The most specific of our errors: `agent/not-stored` wraps the reason why a message was not stored. */
export function causeOf(error: unknown): DragomanError | undefined {
  if (!(error instanceof DragomanError)) return undefined;
  const { code, cause } = error;
  return code === "agent/not-stored" && cause instanceof DragomanError ? cause : error;
}

/** Why a request failed, for its sender, with details only if the sender can fix it. */
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
