import type { Api, Origin, StreamReader } from "../core/api/provider.js";
import { wordsOf } from "../core/error.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";
import { explained } from "./failure.js";
import { Line } from "./line.js";
import { parsePayload, payloadTexts } from "./payloads.js";
import { post, type Request, type RetryPolicy, retried } from "./send.js";
import type { World } from "./world.js";

export interface Exchange {
  api: Api;
  request: Request;
  origin: Origin;
  policy: RetryPolicy;
  /** Without a content event for this long, keep-alives or not, the stream is given up. */
  idleMs: number;
  /** An answer that is larger is not read to its end. */
  maxBytes: number;
  signal?: AbortSignal;
  /** Has the last word on every event. */
  refine(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
}

/** How long the end of a body is waited for after the terminal event. */
const LINGER_MS = 1000;

/** The events of one chunk. */
export type EventBatch = IterableIterator<LiveAssistantMessageEvent>;

/**
 * One call over the network, as events. What fails before the provider has begun to answer is thrown; what fails after
 * that is the terminal event, with what had arrived, and so is an abort at any time. There is exactly one terminal event.
 */
export async function* drive(exchange: Exchange, world: World): AsyncGenerator<EventBatch> {
  const { api, request, origin, policy, idleMs, maxBytes, signal, refine } = exchange;
  const line = new Line(signal, idleMs, world);
  const { watchdog } = line;
  try {
    const begin = async () => {
      watchdog.feed();
      try {
        const payloads = payloadTexts(await post(request, world, line.signal), api.framing, maxBytes);
        return { payloads, first: await firstOf(payloads) };
      } finally {
        watchdog.hold();
      }
    };
    const reader = api.streamReader(origin);
    const begun = await retried(begin, policy, world, line.signal).catch((error: unknown) => {
      if (line.isHungUp) return undefined;
      throw error;
    });
    if (begun === undefined) {
      yield failed(reader, line.signal.reason, line).map(refine).values();
      return;
    }
    const { payloads, first } = begun;
    const shown = (event: LiveAssistantMessageEvent) => refine(explained(event));
    const fail = (error: unknown) => {
      const events = failed(reader, line.signal.aborted ? line.signal.reason : error, line).map(refine);
      line.abort();
      return events;
    };
    watchdog.feed();
    try {
      for (let step = first; step.done !== true; step = await payloads.next()) {
        yield eventsOf(step.value, { reader, line, shown, fail });
        if (reader.ended) return;
      }
      yield reader.finish().map(shown).values();
    } catch (error) {
      yield fail(error).values();
    } finally {
      if (reader.ended && !line.signal.aborted) void readOut(payloads, line, world);
      else {
        line.abort();
        await payloads.return(undefined);
      }
    }
  } finally {
    line.close();
  }
}

/** The first payloads, or the end. Until they are here, nobody has seen anything, and the request can be tried again. */
async function firstOf(payloads: AsyncGenerator<string[], void>): Promise<IteratorResult<string[], void>> {
  for (;;) {
    const step = await payloads.next();
    if (step.done === true || step.value.length > 0) return step;
  }
}

interface Reading {
  reader: StreamReader;
  line: Line;
  shown(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
  fail(error: unknown): LiveAssistantMessageEvent[];
}

/** Each payload is read when the events before it were taken, so that `partial` does not run ahead of them. */
function* eventsOf(texts: readonly string[], reading: Reading): EventBatch {
  const { reader, line, shown, fail } = reading;
  let held = false;
  try {
    for (const text of texts) {
      if (line.isHungUp) {
        yield* fail(undefined);
        return;
      }
      const events = reader.push(parsePayload(text));
      if (!held && events.length > 0) {
        line.watchdog.hold();
        held = true;
      }
      // Nearly always one: an iterator over the list would double the cost of this generator.
      for (let index = 0, event = events[0]; event !== undefined; event = events[++index]) yield shown(event);
      if (reader.ended) return;
    }
    if (held) line.watchdog.feed();
  } catch (error) {
    yield* fail(error);
  }
}

/**
 * Reads what is left after the terminal event, usually nothing but the end, so that the connection can be used again.
 * Nobody waits for it, and whatever becomes of it, the answer is whole.
 */
async function readOut(payloads: AsyncIterable<unknown>, line: Line, world: World): Promise<void> {
  const cancel = world.after(LINGER_MS, () => line.abort());
  try {
    for await (const _ of payloads) if (line.signal.aborted) break;
  } catch {
    line.abort();
  } finally {
    cancel();
  }
}

function failed(reader: StreamReader, error: unknown, line: Line): LiveAssistantMessageEvent[] {
  const events = reader.fail(wordsOf(error), line.isHungUp ? "aborted" : "error");
  return events.map((event) => explained(event, error));
}
