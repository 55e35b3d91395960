import { isErrorReply } from "../core/api/error-reply.js";
import { DragomanError, wordsOf } from "../core/error.js";
import { detailsOf, type Failure, failureIn } from "../core/message/failure.js";
import type { FallbackReason } from "../core/message/fallbacks.js";
import type { AssistantMessage } from "../core/types.js";
import { type ApiName, loadApi } from "../dialects/registry.js";

const OVERLOADED = /overload|at capacity/i;
/** OpenAI's reason for an incomplete response, which has no content if the prompt was blocked. */
const BLOCKED = /content_filter/;
const TOO_MANY = /rate.?limit|too many requests|throttl/i;

/** Why another model may answer instead; undefined for failures that another model does not fix, such as a missing key. */
function fallbackReason({ code, status = 0, retryable, message }: Failure): FallbackReason | undefined {
  switch (code) {
    case "provider/context-overflow":
      return "context";
    // Providers report a used-up minute and a used-up account with the same words.
    case "provider/quota":
      return "rateLimit";
    case "provider/network":
    case "provider/bad-response":
    case "stream/stalled":
      return "unavailable";
    case "provider/failed":
      return reasonIn(message);
    case "provider/http":
      return status === 429 || status >= 500 || retryable === true ? httpReason(status, message) : undefined;
    default:
      return undefined;
  }
}

function httpReason(status: number, message: string): FallbackReason {
  const isOverloaded = status === 503 || status === 529 || OVERLOADED.test(message);
  if (isOverloaded) return "overload";
  return status === 429 ? "rateLimit" : "unavailable";
}

/** For an error that a provider sent within a stream, without a status. */
function reasonIn(message: string): FallbackReason | undefined {
  if (BLOCKED.test(message)) return undefined;
  if (OVERLOADED.test(message)) return "overload";
  return TOO_MANY.test(message) ? "rateLimit" : "unavailable";
}

/** The reason of an error that a model threw. Only connectors throw errors that are not ours. */
export function reasonOfError(error: unknown, api: ApiName | undefined): FallbackReason | undefined {
  if (error instanceof DragomanError) {
    const { code, message, details = {} } = error;
    return fallbackReason({ ...detailsOf(details), code, message });
  }
  return api === undefined ? fallbackReason({ code: "provider/failed", message: wordsOf(error) }) : undefined;
}

/** The reason of an answer that failed before it had content. An abort and a refusal to answer have none. */
export async function reasonOfAnswer(
  message: AssistantMessage,
  api: ApiName | undefined,
): Promise<FallbackReason | undefined> {
  const failure = failureIn(message);
  if (failure === undefined) return undefined;
  if (api !== undefined && !isErrorReply(await loadApi(api), message)) return undefined;
  return fallbackReason({ code: "provider/failed", ...failure });
}
