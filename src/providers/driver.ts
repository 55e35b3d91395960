import type { Api, Flags, Origin, StreamReader } from "../core/api/provider.js";
import { wordsOf } from "../core/error.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";
import { CallControl } from "./call-control.js";
import { withFailureCode } from "./failure.js";
import { type PayloadText, parsePayload, payloadReader, readTexts, type TextReader } from "./payloads.js";
import { post, type Request, type RetryPolicy, withRetries } from "./send.js";
import type { World } from "./world.js";

export interface Exchange {
  api: Api;
  /** What the server does otherwise than the API says. */
  flags?: Flags;
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

/** What a caller gets of each chunk. */
export interface BatchReader<B, T> {
  /** Splits the stream of one attempt. */
  texts(framing: Api["framing"]): TextReader<T>;
  read(texts: readonly T[], reading: Reading): B;
  /** The last events of an answer, which are not from a payload. */
  end(events: LiveAssistantMessageEvent[]): B;
}

/** The events alone. */
export const eventBatches: BatchReader<EventBatch, PayloadText> = {
  texts: payloadReader,
  read: eventsOf,
  end: (events) => events.values(),
};

/**
 * One call over the network, as batches of events. What fails before the provider has begun to answer is thrown; what
 * fails after that is the terminal event, with what had arrived, and so is an abort at any time. There is exactly one
 * terminal event.
 */
export async function* drive<B, T>(
  exchange: Exchange,
  world: World,
  batches: BatchReader<B, T>,
): AsyncGenerator<B> {
  const { api, flags, request, origin, policy, idleMs, maxBytes, signal, refine } = exchange;
  const control = new CallControl(signal, idleMs, world);
  const { watchdog } = control;
  try {
    const begin = async () => {
      watchdog.feed();
      try {
        const response = await post(request, world, control.signal);
        const texts = readTexts(response, api.framing, batches.texts(api.framing), maxBytes);
        return { texts, first: await firstOf(texts) };
      } finally {
        watchdog.pause();
      }
    };
    const reader = api.streamReader(origin, flags);
    const begun = await withRetries(begin, policy, world, control.signal).catch((error: unknown) => {
      if (control.isAbortedByCaller) return undefined;
      throw error;
    });
    if (begun === undefined) {
      yield batches.end(failureEvents(reader, control.signal.reason, control).map(refine));
      return;
    }
    const { texts, first } = begun;
    const shown = (event: LiveAssistantMessageEvent) => refine(withFailureCode(event));
    const fail = (error: unknown) => {
      const events = failureEvents(
        reader,
        control.signal.aborted ? control.signal.reason : error,
        control,
      ).map(refine);
      control.abort();
      return events;
    };
    watchdog.feed();
    try {
      for (let step = first; step.done !== true; step = await texts.next()) {
        yield batches.read(step.value, { reader, control, shown, fail });
        if (reader.ended) return;
        watchdog.resume();
      }
      yield batches.end(reader.finish().map(shown));
    } catch (error) {
      yield batches.end(fail(error));
    } finally {
      if (reader.ended && !control.signal.aborted) void drain(texts, control, world);
      else {
        control.abort();
        await texts.return(undefined);
      }
    }
  } finally {
    control.close();
  }
}

/** The first payloads, or the end. Until they are here, nobody has seen anything, and the request can be tried again. */
async function firstOf<T>(payloads: AsyncGenerator<T[], void>): Promise<IteratorResult<T[], void>> {
  for (;;) {
    const step = await payloads.next();
    if (step.done === true || step.value.length > 0) return step;
  }
}

export interface Reading {
  reader: StreamReader;
  control: CallControl;
  shown(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
  fail(error: unknown): LiveAssistantMessageEvent[];
}

/** Each payload is read when the events before it were taken, so that `partial` does not run ahead of them. */
function* eventsOf(texts: readonly PayloadText[], reading: Reading): EventBatch {
  const { reader, control, shown, fail } = reading;
  try {
    for (const { data } of texts) {
      if (control.isAbortedByCaller) {
        yield* fail(undefined);
        return;
      }
      const events = reader.push(parsePayload(data));
      if (events.length > 0) control.watchdog.pause();
      // Nearly always one: an iterator over the list would double the cost of this generator.
      for (let index = 0, event = events[0]; event !== undefined; event = events[++index]) yield shown(event);
      if (reader.ended) return;
    }
  } catch (error) {
    yield* fail(error);
  }
}

/**
 * Reads what is left after the terminal event, usually nothing but the end, so that the connection can be used again.
 * Nobody waits for it, and whatever becomes of it, the answer is whole.
 */
async function drain(payloads: AsyncIterable<unknown>, control: CallControl, world: World): Promise<void> {
  const cancel = world.after(LINGER_MS, () => control.abort());
  try {
    for await (const _ of payloads) if (control.signal.aborted) break;
  } catch {
    control.abort();
  } finally {
    cancel();
  }
}

function failureEvents(
  reader: StreamReader,
  error: unknown,
  control: CallControl,
): LiveAssistantMessageEvent[] {
  const events = reader.fail(wordsOf(error), control.isAbortedByCaller ? "aborted" : "error");
  return events.map((event) => withFailureCode(event, error));
}
