import { formatComment } from "../../framing/sse-format.js";
import { withSilences } from "../http/silences.js";
import type { BodyPiece, HttpReply } from "../types.js";

/** Shorter than the idle time-outs of common proxies. */
const SILENCE_MS = 15_000;

const KEEP_ALIVE = Buffer.from(formatComment("keep-alive"));

export interface EventStreamOptions {
  headers?: Readonly<Record<string, string>>;
  /** How long a stream may be silent before a comment is sent (default: 15 seconds). */
  silenceMs?: number | undefined;
}

/** Chunks as events of `text/event-stream`, in bytes that many clients can share. JSON has no line breaks. */
export function framesOf(chunks: readonly unknown[]): Uint8Array {
  return Buffer.from(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""));
}

/** A piece of such a reply as text. */
export function textOf(frames: BodyPiece): string {
  if (typeof frames === "string") return frames;
  return ("byteString" in frames ? Buffer.from(frames.byteString, "latin1") : Buffer.from(frames)).toString();
}

/** A reply with these frames, the stored ones first. */
export function eventStream(
  { headers, silenceMs = SILENCE_MS }: EventStreamOptions,
  live: AsyncIterable<Uint8Array> | undefined,
  stored?: Iterable<Uint8Array>,
): HttpReply {
  const frames = live !== undefined && stored === undefined ? live : joined(stored ?? [], live ?? []);
  return {
    status: 200,
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      ...headers,
    },
    stream: withSilences(frames, silenceMs, KEEP_ALIVE),
  };
}

async function* joined(
  stored: Iterable<Uint8Array>,
  live: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* stored;
  yield* live;
}
