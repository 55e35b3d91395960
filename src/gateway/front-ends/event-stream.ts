import { formatComment } from "../../framing/sse-format.js";
import { SILENCE, withSilences } from "../http/silences.js";
import type { HttpReply } from "../types.js";

/** Shorter than the idle time-outs of common proxies. */
const SILENCE_MS = 15_000;

export interface EventStreamOptions {
  headers?: Readonly<Record<string, string>>;
  /** How long a stream may be silent before a comment is sent (default: 15 seconds). */
  silenceMs?: number | undefined;
}

/** A chunk as an event of `text/event-stream`. JSON has no line breaks. */
export function frameOf(chunk: unknown): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** A reply with these frames, the stored ones first. */
export function eventStream(
  { headers, silenceMs = SILENCE_MS }: EventStreamOptions,
  stored: Iterable<string>,
  live: AsyncIterable<string> | Iterable<string> = [],
): HttpReply {
  return {
    status: 200,
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      ...headers,
    },
    stream: withComments(joined(stored, live), silenceMs),
  };
}

async function* withComments(frames: AsyncIterable<string>, ms: number): AsyncGenerator<string> {
  for await (const frame of withSilences(frames, ms)) {
    yield frame === SILENCE ? formatComment("keep-alive") : frame;
  }
}

async function* joined(
  stored: Iterable<string>,
  live: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield* stored;
  yield* live;
}
