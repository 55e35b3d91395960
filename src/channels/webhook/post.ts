import { within } from "../../core/async/deadline.js";
import { retryAfterMs } from "../../core/async/retry-after.js";
import { reasonOf } from "../network-failure.js";
import { SendError } from "../types.js";
import { signatureHeaders } from "./signature.js";

const PATIENCE_MS = 30_000;

export interface Post {
  url: string;
  secret: string;
  /** The same for the same request: the receiver takes it once. */
  key: string;
  fetch: typeof fetch;
  now(): number;
  signal?: AbortSignal;
}

/**
 * Posts a signed body. The key lets the receiver know a request again, so that one whose answer was lost can be sent again
 * as well as one that never left; nothing is ever `unknown`.
 */
export async function post(body: object, { url, secret, key, fetch, now, signal }: Post): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  let response: Response;
  try {
    response = await within(signal, PATIENCE_MS, async (ends) => {
      const answer = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": key,
          ...signatureHeaders(secret, bytes, now()),
        },
        body: bytes,
        // What was signed for one address is not for another.
        redirect: "manual",
        signal: ends,
      });
      await answer.body?.cancel();
      return answer;
    });
  } catch (error) {
    throw new SendError("later", `${new URL(url).host} does not answer: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  const { status, headers } = response;
  if (response.ok) return;
  const why = `${new URL(url).host} answered ${status}`;
  if (status !== 408 && status !== 425 && status !== 429 && status < 500) throw new SendError("refused", why);
  const afterMs = retryAfterMs(headers.get("retry-after"), now());
  throw new SendError("later", why, afterMs === undefined ? {} : { afterMs });
}
