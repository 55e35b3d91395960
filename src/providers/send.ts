import { DragomanError } from "../core/error.js";
import { httpFailure, networkFailure } from "./failure.js";
import { sleep, type World } from "./world.js";

export interface Request {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface RetryPolicy {
  /** How often to try again before the first event. */
  maxRetries: number;
  /** A provider that asks to wait longer than this is not waited for. */
  maxWaitMs: number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/** Sends a request until it is answered with success, as often as the policy allows. */
export async function send(
  request: Request,
  policy: RetryPolicy,
  world: World,
  signal: AbortSignal,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await once(request, world, signal);
    } catch (error) {
      const wait = waitBefore(error, attempt, policy, world);
      if (wait === undefined) throw error;
      await sleep(world, wait, signal);
    }
  }
}

async function once(request: Request, world: World, signal: AbortSignal): Promise<Response> {
  const { url, headers, body } = request;
  let response: Response;
  try {
    response = await world.fetch(url, { method: "POST", headers, body, signal });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw networkFailure(cause);
  }
  if (response.ok) return response;
  throw httpFailure(response.status, response.headers, await response.text(), world.now());
}

/** Half the wait is fixed and half is chance, so that clients that failed together do not come back together. */
function waitBefore(
  error: unknown,
  attempt: number,
  { maxRetries, maxWaitMs }: RetryPolicy,
  world: World,
): number | undefined {
  if (!(error instanceof DragomanError) || error.details?.["retryable"] !== true || attempt >= maxRetries) {
    return undefined;
  }
  const asked = error.details["retryAfterMs"];
  if (typeof asked === "number") return asked <= maxWaitMs ? asked : undefined;
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return longest * (0.5 + world.random() / 2);
}
