import { retryAfterMs } from "../core/async/retry-after.js";
import { DragomanError } from "../core/error.js";
import { defined } from "../core/json/defined.js";
import { parseJson } from "../core/json/parse.js";
import { isEmpty, isObject, isString, type JsonObject } from "../core/json/value.js";
import { redactSecrets } from "../core/secrets.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";
import { isDailyLimit, retryDelayMs } from "./error-details.js";
import type { ProviderResponse } from "./world.js";

/** Details of a failed request. */
export interface FailureDetails {
  status?: number;
  /** The provider's own code: `rate_limit_error`, `insufficient_quota`. */
  code?: string;
  retryable: boolean;
  /** How long the provider asks to wait. */
  retryAfterMs?: number;
  /** The fields of the provider's error that programs read: `type`, `code`, `param`, `status`, `details`. */
  reported?: JsonObject;
}

const RETRYABLE = new Set([408, 409, 429]);
const QUOTA = /insufficient_quota|billing|credit balance|payment required|exceeded your current quota/i;
const OVERFLOW =
  /context[ _]?(length|window|limit)|too many tokens|prompt is too long|maximum context|input is too long|input token count/i;
const EXCEEDED = /exceeds the (?:maximum|limit)(.*)/i;

/** The error for an HTTP error response: what it means, and whether a retry can help. */
export function httpFailure(
  status: number,
  headers: ProviderResponse["headers"],
  body: string,
  now: number,
): DragomanError {
  const { message, code, reported } = readBody(body);
  const reason = message ?? (body.trim().slice(0, 200) || "no further explanation");
  const delay = retryDelayMs(reported?.["details"]);
  const retryAfterMs = retryAfter(headers, now) ?? delay;
  const about = defined({ status, code, retryAfterMs, reported });
  // Google calls a limit per minute a quota too, and reports when to retry.
  const isShortLimit = status === 429 && delay !== undefined && !isDailyLimit(reported?.["details"]);
  if (!isShortLimit && (status === 402 || QUOTA.test(`${code} ${reason}`))) {
    return failure("provider/quota", `the account is out of credit: ${reason}`, {
      ...about,
      retryable: false,
    });
  }
  if (isOverflow(`${code} ${reason}`) && status < 500 && status !== 429) {
    return failure(
      "provider/context-overflow",
      reason,
      { ...about, retryable: false },
      "compact the conversation",
    );
  }
  const retryable = shouldRetry(headers) ?? (RETRYABLE.has(status) || status >= 500);
  return failure("provider/http", `HTTP ${status}: ${reason}`, { ...about, retryable }, hintFor(status));
}

/** Whether the provider reports that the conversation has too many tokens. */
function isOverflow(text: string): boolean {
  const [, exceeded = ""] = EXCEEDED.exec(text) ?? [];
  return OVERFLOW.test(text) || /tokens/i.test(exceeded);
}

export function redirectFailure({ status, headers }: ProviderResponse): DragomanError {
  const to = originOf(headers.get("location"));
  return failure(
    "provider/http",
    `HTTP ${status}: the server redirects${to === undefined ? "" : ` to ${to}`}, and redirects are not followed`,
    { status, retryable: false },
    "set the provider's base URL to the final address if you trust it",
  );
}

/** Without the path, which may contain a secret. */
function originOf(location: string | null): string | undefined {
  return location !== null && URL.canParse(location) ? new URL(location).origin : undefined;
}

/** Adds an error code to the event of a failed answer: the thrown error's, or one derived from the message. */
export function withFailureCode(
  event: LiveAssistantMessageEvent,
  thrown?: unknown,
): LiveAssistantMessageEvent {
  if (event.type !== "error" || event.reason === "aborted") return event;
  const { error } = event;
  // A connector's messages pass here too, and its keys are unknown.
  if (error.errorMessage !== undefined) error.errorMessage = redactSecrets(error.errorMessage);
  const failure =
    thrown instanceof DragomanError
      ? { code: thrown.code, ...thrown.details }
      : { code: codeOf(error.errorMessage ?? "") };
  error.ext = { ...error.ext, failure };
  return event;
}

/** The meaning of an error that a provider sent mid-answer. */
export function codeOf(message: string): "provider/quota" | "provider/context-overflow" | "provider/failed" {
  if (QUOTA.test(message)) return "provider/quota";
  return OVERFLOW.test(message) ? "provider/context-overflow" : "provider/failed";
}

export function networkFailure(
  what: "the provider cannot be reached" | "the connection broke off",
  cause: unknown,
): DragomanError {
  const reason = cause instanceof Error ? messageOf(cause) : String(cause);
  return new DragomanError("provider/network", `${what}: ${reason}`, {
    cause,
    hint: "check the network and the base URL",
    details: { retryable: true } satisfies FailureDetails,
  });
}

export function failure(
  code: "provider/http" | "provider/quota" | "provider/context-overflow" | "provider/bad-response",
  message: string,
  details: FailureDetails,
  hint?: string,
): DragomanError {
  return new DragomanError(code, message, { details: { ...details }, hint });
}

/** Includes the cause, because `fetch failed` alone does not explain anything. */
function messageOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function hintFor(status: number): string | undefined {
  if (status === 401 || status === 403) return "check the API key";
  if (status === 404) return "check the model's name and the base URL";
  return undefined;
}

/** Providers use different forms: `{error:{message,type|code|status}}`, `{error:"…"}`, `{message}`, `[{error}]`. */
function readBody(body: string): { message?: string; code?: string; reported?: JsonObject } {
  let parsed: unknown;
  try {
    parsed = parseJson(body, { maxDepth: MOST_LEVELS });
  } catch {
    return {};
  }
  const outer = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isObject(outer)) return {};
  if (typeof outer["error"] === "string") return { message: outer["error"] };
  const error = isObject(outer["error"]) ? outer["error"] : outer;
  const { message } = error;
  const code = [error["code"], error["type"], error["status"]].find(isString);
  const reported = reportedIn(error);
  return defined({
    message: isString(message) ? message : undefined,
    code,
    reported: isEmpty(reported) ? undefined : reported,
  });
}

const TEXTS = ["type", "code", "param", "status"];
/** Larger details are left out. */
const MOST_DETAILS = 16_384;
/** A body that nests deeper is not an error of any provider. */
const MOST_LEVELS = 64;

function reportedIn(error: JsonObject): JsonObject {
  const { details } = error;
  const texts = TEXTS.flatMap((field) => (typeof error[field] === "string" ? [[field, error[field]]] : []));
  const isShown = typeof details === "object" && JSON.stringify(details).length <= MOST_DETAILS;
  return { ...Object.fromEntries(texts), ...(isShown && details !== null ? { details } : {}) };
}

function shouldRetry(headers: ProviderResponse["headers"]): boolean | undefined {
  const value = headers.get("x-should-retry");
  return value === "true" ? true : value === "false" ? false : undefined;
}

function retryAfter(headers: ProviderResponse["headers"], now: number): number | undefined {
  const ms = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(ms)) return Math.max(0, ms);
  return retryAfterMs(headers.get("retry-after"), now);
}
