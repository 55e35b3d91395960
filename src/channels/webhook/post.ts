import { within } from "../../core/async/deadline.js";
import { retryAfterMs } from "../../core/async/retry-after.js";
import { reasonOf } from "../network-failure.js";
import { SendError } from "../types.js";
import { signatureHeaders } from "./signature.js";

const TIMEOUT_MS = 30_000;

export interface Post {
  url: string;
  secret: string;
  /** The idempotency key: the same for each retry of a request. */
  key: string;
  fetch: typeof fetch;
  now(): number;
  signal?: AbortSignal;
}

/**
 * Posts a signed body. The receiver deduplicates by key, so every request can be retried and no outcome is `unknown`.
 */
export async function post(body: object, { url, secret, key, fetch, now, signal }: Post): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  let response: Response;
  try {
    response = await within(signal, TIMEOUT_MS, async (ends) => {
      const answer = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": key,
          ...signatureHeaders(secret, bytes, now()),
        },
        body: bytes,
        // A body signed for one URL must not be forwarded to another.
        redirect: "manual",
        signal: ends,
      });
      await answer.body?.cancel();
      return answer;
    });
  } catch (error) {
    throw new SendError("later", `cannot reach ${new URL(url).host}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  const { status, headers } = response;
  if (response.ok) return;
  const why = `${new URL(url).host} replied with HTTP ${status}`;
  if (status !== 408 && status !== 425 && status !== 429 && status < 500) throw new SendError("refused", why);
  const afterMs = retryAfterMs(headers.get("retry-after"), now());
  throw new SendError("later", why, afterMs === undefined ? {} : { afterMs });
}
