import type { HttpRequest, Sign } from "../core/api/provider.js";
import { backoff } from "../core/async/backoff.js";
import { sleep } from "../core/async/clock.js";
import { DragomanError } from "../core/error.js";
import { httpFailure, networkFailure, redirectFailure } from "./failure.js";
import { textOf } from "./payloads.js";
import type { ProviderResponse, World } from "./world.js";

export interface Request extends HttpRequest {
  /** Signs each attempt (default: the headers are complete). */
  sign?: Sign;
}

export interface RetryPolicy {
  /** How often to retry before the first event. */
  maxRetries: number;
  /** If the provider asks for a longer wait, the request is not retried. */
  maxWaitMs: number;
}

const RETRY = { firstMs: 500, longestMs: 8000 };
/** How much of an error's body is read. */
const EXPLANATION_BYTES = 2 ** 20;

/** Calls `once` until it succeeds, as often as the policy allows; it must observe the signal. */
export async function withRetries<T>(
  once: () => Promise<T>,
  policy: RetryPolicy,
  world: World,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await once();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const wait = waitBefore(error, attempt, policy, world);
      if (wait === undefined) throw error;
      await sleep(world, wait, signal);
    }
  }
}

/** Sends a request once. Throws unless it succeeds; the error states whether a retry can help. */
export async function post(request: Request, world: World, signal: AbortSignal): Promise<ProviderResponse> {
  const { url, headers, body } = (await request.sign?.(request, signal)) ?? request;
  let response: ProviderResponse;
  try {
    // A redirect would carry the key and the conversation to an address that was not configured.
    response = await world.fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
  } catch (cause) {
    throw networkFailure("the provider cannot be reached", cause);
  }
  if (response.ok) return response;
  if (isRedirect(response)) throw redirectFailure(response);
  throw httpFailure(
    response.status,
    response.headers,
    await textOf(response, EXPLANATION_BYTES),
    world.now(),
  );
}

/** A browser hides the status of a redirect that it does not follow. */
function isRedirect({ status, type }: ProviderResponse): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

/** Undefined if a retry cannot help, or if the wait would be too long. */
function waitBefore(
  error: unknown,
  attempt: number,
  { maxRetries, maxWaitMs }: RetryPolicy,
  world: World,
): number | undefined {
  if (!(error instanceof DragomanError) || error.details?.["retryable"] !== true || attempt >= maxRetries) {
    return undefined;
  }
  const requested = error.details["retryAfterMs"];
  if (typeof requested === "number") return requested <= maxWaitMs ? requested : undefined;
  return backoff(attempt, { ...RETRY, random: world.random });
}
