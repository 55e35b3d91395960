import { isObject, type JsonObject } from "../core/json/value.js";
import { CallControl } from "./call-control.js";
import { failure } from "./failure.js";
import { readAnswer } from "./payloads.js";
import { post, type Request, type RetryPolicy, withRetries } from "./send.js";
import type { World } from "./world.js";

/** A request whose answer is one JSON document. */
export interface JsonExchange {
  request: Request;
  policy: RetryPolicy;
  /** Without the whole answer after this time, the request is given up. */
  idleMs: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** Posts a request, with retries, and reads its answer. An abort rejects with the signal's reason. */
export async function exchangeJson(exchange: JsonExchange, world: World): Promise<JsonObject> {
  const { request, policy, idleMs, maxBytes, signal } = exchange;
  const control = new CallControl(signal, idleMs, world);
  const attempt = () =>
    control.attempt(async () => readAnswer(await post(request, world, control.signal), maxBytes));
  try {
    const answer = await withRetries(attempt, policy, world, control.signal);
    if (isObject(answer)) return answer;
    throw failure("provider/bad-response", "the answer is not a JSON object", { retryable: false });
  } finally {
    control.close();
  }
}
