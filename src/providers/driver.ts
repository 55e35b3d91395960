import { DragomanError } from "../core/error.js";
import type { Api, Origin, StreamReader } from "../core/provider.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";
import { codeOf } from "./failure.js";
import { parsePayload, payloadTexts } from "./payloads.js";
import { type Request, type RetryPolicy, send } from "./send.js";
import { Watchdog } from "./watchdog.js";
import type { World } from "./world.js";

export interface Exchange {
  api: Api;
  request: Request;
  origin: Origin;
  policy: RetryPolicy;
  /** Without a content event for this long, keep-alives or not, the stream is given up. */
  idleMs: number;
  signal?: AbortSignal;
}

/**
 * One call over the network, as events. What fails before the provider has begun to answer is thrown; what fails after
 * that is the terminal event, with what had arrived. There is exactly one terminal event.
 */
export async function* drive(exchange: Exchange, world: World): AsyncGenerator<LiveAssistantMessageEvent> {
  const { api, request, origin, policy, idleMs, signal } = exchange;
  const line = new AbortController();
  const hangUp = () => line.abort(signal?.reason);
  if (signal?.aborted === true) hangUp();
  signal?.addEventListener("abort", hangUp, { once: true });
  const watchdog = new Watchdog(idleMs, world, (error) => line.abort(error));
  try {
    const response = await send(request, policy, world, line.signal);
    const reader = api.streamReader(origin);
    watchdog.start();
    try {
      for await (const texts of payloadTexts(response, api.framing)) {
        for (const text of texts) {
          const events = reader.push(parsePayload(text));
          if (events.length > 0) watchdog.feed();
          for (const event of events) yield explained(event);
          if (reader.ended) return;
        }
      }
      for (const event of reader.finish()) yield explained(event);
    } catch (error) {
      yield* failed(reader, line.signal.aborted ? line.signal.reason : error, signal);
    }
  } finally {
    watchdog.stop();
    signal?.removeEventListener("abort", hangUp);
    line.abort();
  }
}

/** An error that the provider sent, with a code for programs. */
function explained(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent {
  if (event.type === "error") {
    const { error } = event;
    error.ext = { ...error.ext, failure: { code: codeOf(error.errorMessage ?? "") } };
  }
  return event;
}

function failed(
  reader: StreamReader,
  error: unknown,
  signal: AbortSignal | undefined,
): LiveAssistantMessageEvent[] {
  const message = error instanceof Error ? error.message : String(error);
  const events = reader.fail(message, signal?.aborted === true ? "aborted" : "error");
  for (const event of events) {
    if (event.type !== "error" || !(error instanceof DragomanError)) continue;
    event.error.ext = { ...event.error.ext, failure: { code: error.code, ...error.details } };
  }
  return events;
}
