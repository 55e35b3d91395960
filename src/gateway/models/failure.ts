import type { DragomanError, ErrorCode } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { type Failure as AnswerFailure, detailsOf, failureIn } from "../../core/message/failure.js";
import type { AssistantMessage, ErrorMessage } from "../../core/types.js";
import { causeOf, verdictOf } from "../refusals.js";
import { type Refusal, RefusedError } from "../types.js";

/** A failure of the request, the provider or the run. */
export interface Failure extends AnswerFailure {
  code: string;
  /** Where in the request. */
  at?: string | undefined;
  /** The fields of the provider's error that the client's API has, too. */
  reported?: JsonObject | undefined;
}

/** Selects the fields of a provider's error that the client is shown. */
type ShowFields = (reported: JsonObject) => JsonObject | undefined;

/** Ends of a run that are not errors. */
type OwnCode = "aborted" | "closing";

type Verdict = Pick<Refusal, "status" | "reason">;

const invalid: Verdict = { status: 400, reason: "invalid_request" };
const notFound: Verdict = { status: 404, reason: "not_found" };
const conflict: Verdict = { status: 409, reason: "conflict" };
const upstream: Verdict = { status: 502, reason: "server_error" };
const unavailable: Verdict = { status: 503, reason: "service_unavailable" };

const verdicts: Partial<Record<string, Verdict>> = {
  aborted: conflict,
  closing: unavailable,
  "provider/unknown": notFound,
  "provider/context-overflow": invalid,
  "provider/no-key": upstream,
  "provider/quota": { status: 429, reason: "rate_limited" },
  "provider/network": upstream,
  "provider/bad-response": upstream,
  "provider/failed": upstream,
  "stream/stalled": { status: 504, reason: "server_error" },
} satisfies Partial<Record<ErrorCode | OwnCode, Verdict>>;

/** Failures that only the operator can fix. */
const LASTING: ReadonlySet<string> = new Set(["provider/no-key", "provider/quota"]);

/** A failure as a refusal, which each family writes in its own format. */
export function refusalOf(failure: Failure): Refusal {
  const { code, at, retryable, retryAfterMs, reported } = failure;
  const verdict = code === "provider/http" ? httpVerdict(failure) : (verdicts[code] ?? verdictOf(code));
  const { status, reason } = verdict ?? { status: 500, reason: "server_error" };
  // Clients retry by themselves, unless this header tells them not to.
  const again = retryable ?? (!LASTING.has(code) && verdict !== undefined);
  return {
    status,
    reason,
    message: messageOf(failure),
    details: {
      code,
      ...(at === undefined ? {} : { at }),
      ...(reported === undefined || isKeyRejected(failure) ? {} : { reported }),
    },
    headers: {
      ...(again ? {} : { "x-should-retry": "false" }),
      ...(retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
    },
  };
}

/** An error in the request is reported with its status; an error of the gateway's account with the provider is a 502. */
function httpVerdict({ status }: Failure): Verdict {
  switch (status) {
    case 400:
    case 422:
      return invalid;
    case 404:
      return notFound;
    case 413:
      return { status: 413, reason: "too_large" };
    case 429:
      return { status: 429, reason: "rate_limited" };
    case 503:
    case 529:
      return unavailable;
    default:
      return upstream;
  }
}

function messageOf(failure: Failure): string {
  const { message, at } = failure;
  if (isKeyRejected(failure)) return "the model's provider rejected this gateway's API key";
  return at === undefined || at === "" ? message : `${message} (at ${at})`;
}

/** A provider's message about a rejected key may contain the key. */
function isKeyRejected({ code, status }: Pick<Failure, "code" | "status">): boolean {
  return code === "provider/http" && (status === 401 || status === 403);
}

/** One of our errors as a failure. */
export function failureOfError(error: DragomanError, shown?: ShowFields): Failure {
  const { code, message, hint, at, details = {} } = error;
  return {
    ...detailsOf(details),
    code,
    message: hint === undefined ? message : `${message}; ${hint}`,
    at,
    reported: isObject(details["reported"]) ? shown?.(details["reported"]) : undefined,
  };
}

/** The failure that ended an answer, or that an error message of the session reports. */
export function failureOfAnswer(message: AssistantMessage | ErrorMessage): Failure {
  const failure = failureIn(message);
  if (failure !== undefined) return { code: "provider/failed", ...failure };
  return { code: "aborted", message: "the run was aborted", retryable: false };
}

/** One of our errors as a refusal; other errors are returned unchanged. */
export function asRefusal(
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
  shown?: ShowFields,
): unknown {
  const own = causeOf(error);
  if (own !== undefined) return refuseFailure(failureOfError(own, shown), headers);
  if (!(error instanceof RefusedError)) return error;
  const { refusal } = error;
  return new RefusedError({ ...refusal, headers: { ...refusal.headers, ...headers } });
}

export function refuseFailure(
  failure: Failure,
  headers: Readonly<Record<string, string>> = {},
): RefusedError {
  const refusal = refusalOf(failure);
  return new RefusedError({ ...refusal, headers: { ...refusal.headers, ...headers } });
}

/** The refusal of a request that cannot be served in this form. */
export function unservable(at: string, message: string): RefusedError {
  return refuseFailure({ code: "model/invalid", message, at, retryable: false });
}
