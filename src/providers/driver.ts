import type { Api, Flags, Origin, StreamReader } from "../core/api/provider.js";
import { wordsOf } from "../core/error.js";
import type { LiveAssistantMessageEvent } from "../core/types.js";
import { CallControl } from "./call-control.js";
import { withFailureCode } from "./failure.js";
import { PayloadParser } from "./payload-parser.js";
import { type PayloadText, payloadReader, readTexts, type TextReader } from "./payloads.js";
import { post, type Request, type RetryPolicy, withRetries } from "./send.js";
import type { World } from "./world.js";

export interface Exchange {
  api: Api;
  /** How the server differs from the API. */
  flags?: Flags;
  request: Request;
  origin: Origin;
  policy: RetryPolicy;
  /** Aborts the stream when no content event arrives for this long; keep-alives do not count. */
  idleMs: number;
  /** A larger answer is an error. */
  maxBytes: number;
  signal?: AbortSignal;
  /** Called with each event; the returned event is emitted. */
  refine(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
  /** Called with an error before it is thrown; the returned one is thrown. */
  redact(error: unknown): unknown;
}

/** How long to wait for the end of a body after the terminal event. */
const LINGER_MS = 1000;

/** The events of one chunk. */
export type EventBatch = IterableIterator<LiveAssistantMessageEvent>;

/** Creates what a caller receives for each chunk. */
export interface BatchReader<B, T> {
  /** Splits the stream of one attempt. */
  texts(framing: Api["framing"]): TextReader<T>;
  read(texts: readonly T[], reading: Reading): B;
  /** The last events of an answer, which are not from a payload. */
  end(events: LiveAssistantMessageEvent[]): B;
}

/** Only the events. */
export const eventBatches: BatchReader<EventBatch, PayloadText> = {
  texts: payloadReader,
  read: eventsOf,
  end: (events) => events.values(),
};

/**
 * One call over the network, as batches of events. A failure before the provider starts to answer is thrown; a later
 * failure is the terminal event, with the answer so far, and so is an abort at any time. There is exactly one terminal
 * event.
 */
export async function* drive<B, T>(
  exchange: Exchange,
  world: World,
  batches: BatchReader<B, T>,
): AsyncGenerator<B> {
  const { api, flags, request, origin, policy, idleMs, maxBytes, signal, refine, redact } = exchange;
  const control = new CallControl(signal, idleMs, world);
  const { watchdog } = control;
  try {
    const begin = () =>
      control.attempt(async () => {
        const response = await post(request, world, control.signal);
        const texts = readTexts(response, api.framing, batches.texts(api.framing), maxBytes);
        return { texts, first: await firstOf(texts) };
      });
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
    const parser = new PayloadParser(api.deltaFields);
    const parse = (text: string) => parser.parse(text);
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
        yield batches.read(step.value, { reader, control, parse, shown, fail });
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
  } catch (error) {
    throw redact(error);
  } finally {
    control.close();
  }
}

/** The first payloads, or the end. Before them the caller has received nothing, so the request can be retried. */
async function firstOf<T>(payloads: AsyncGenerator<T[], void>): Promise<IteratorResult<T[], void>> {
  for (;;) {
    const step = await payloads.next();
    if (step.done === true || step.value.length > 0) return step;
  }
}

export interface Reading {
  reader: StreamReader;
  control: CallControl;
  /** Parses a payload's text. */
  parse(text: string): unknown;
  shown(event: LiveAssistantMessageEvent): LiveAssistantMessageEvent;
  fail(error: unknown): LiveAssistantMessageEvent[];
}

/** Reads each payload after the caller has consumed the events before it, so that `partial` is not ahead of them. */
function* eventsOf(texts: readonly PayloadText[], reading: Reading): EventBatch {
  const { reader, control, parse, shown, fail } = reading;
  try {
    for (const { data } of texts) {
      if (control.isAbortedByCaller) {
        yield* fail(undefined);
        return;
      }
      const events = reader.push(parse(data));
      if (events.length > 0) control.watchdog.pause();
      // Almost always one event: an iterator over the list would double the cost of this generator.
      for (let index = 0, event = events[0]; event !== undefined; event = events[++index]) yield shown(event);
      if (reader.ended) return;
    }
  } catch (error) {
    yield* fail(error);
  }
}

/**
 * Reads the rest of the body after the terminal event, so that the connection can be reused. It is not awaited, and its
 * failure does not affect the answer.
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
