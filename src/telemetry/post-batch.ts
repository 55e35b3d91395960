import { within } from "../core/async/deadline.js";
import { DragomanError } from "../core/error.js";
import { jsonIn } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { textOf } from "../providers/payloads.js";
import { post, withRetries } from "../providers/send.js";
import type { World } from "../providers/world.js";
import type { Destination } from "./settings.js";

/** The only failures that OTLP lets a client retry; a network failure has no status. */
const RETRYABLE: readonly unknown[] = [undefined, 429, 502, 503, 504];
const ANSWER_BYTES = 64 * 1024;
const LONGEST_WAIT_MS = 30_000;

/** Sends a batch, and again if the collector is busy. Returns how many of its items the collector refused. */
export async function postBatch(
  { url, headers, timeoutMs }: Destination,
  body: string,
  { world, signal, maxRetries }: { world: World; signal: AbortSignal; maxRetries: number },
): Promise<number> {
  const request = { url, headers: { ...headers, "content-type": "application/json" }, body };
  const once = () =>
    within(signal, timeoutMs, async (attempt) => {
      const response = await post(request, world, attempt);
      return refusedIn(await textOf(response, ANSWER_BYTES));
    }).catch((error: unknown) => {
      throw asOtlpFailure(error);
    });
  return withRetries(once, { maxRetries, maxWaitMs: LONGEST_WAIT_MS }, world, signal);
}

/** The failure of a request, which is written for providers, in the words and with the rules of this protocol. */
function asOtlpFailure(error: unknown): unknown {
  if (!(error instanceof DragomanError)) return error;
  const { code, message, details = {} } = error;
  const retryable = details["retryable"] === true && RETRYABLE.includes(details["status"]);
  return new DragomanError(code, message.replace(/^the provider/, "the collector"), {
    details: { ...details, retryable },
  });
}

/** `{"partialSuccess":{"rejectedSpans":"2"}}` */
function refusedIn(text: string): number {
  const answer = jsonIn(text);
  const partial = isObject(answer) ? answer["partialSuccess"] : undefined;
  if (!isObject(partial)) return 0;
  const count = Number(partial["rejectedSpans"] ?? partial["rejectedDataPoints"] ?? 0);
  return Number.isFinite(count) ? count : 0;
}
