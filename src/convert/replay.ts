import type { Dialect, JsonRecord } from "../core/dialect.js";
import { isSynthesised } from "../core/message/neutral.js";
import type { AgentMessage, Loss } from "../core/types.js";
import { formatLine } from "../framing/ndjson.js";
import { openPipe } from "./convert.js";
import type { TextStart } from "./read.js";

/** A line to write, and how long to wait after it. */
export interface Beat {
  text: string;
  afterMs: number;
}

export interface ReplayOptions {
  from: Dialect;
  to: Dialect;
  /** A factor on the original pace; `Infinity` does not wait at all. */
  speed: number;
  onLoss?: (loss: Loss) => void;
  /** Where the source starts in the file that it was cut out of, for places. */
  start?: TextStart | undefined;
}

/** Longer pauses, such as a night between two messages, are shortened. */
const LONGEST_PAUSE_MS = 5000;

interface Unit {
  /** The time of its first message; undefined when the source has none. */
  time: number | undefined;
  lines: string[];
}

/**
 * Replays a transcript: a line for each record, with the pauses between the messages. For a streaming dialect, each
 * record's frames are spread over the time until the next record. Messages without a timestamp follow immediately.
 */
export async function* replay(
  open: () => AsyncIterable<Uint8Array>,
  { from, to, speed, onLoss, start }: ReplayOptions,
): AsyncGenerator<Beat> {
  let ready: Unit[] = [];
  const pipe = await openPipe(open, {
    from,
    to,
    start,
    ...(onLoss === undefined ? {} : { onLoss }),
    onUnit: (source, records) => {
      if (records.length === 0) return;
      const time = source.map(({ message }) => timeOf(message)).find((known) => known !== undefined);
      ready.push({ time, lines: records.flatMap((record) => linesOf(record, to)) });
    },
  });
  let last: Unit | undefined;
  const flush = function* (): Generator<Beat> {
    const units = ready;
    ready = [];
    for (const next of units) {
      if (last !== undefined) yield* beats(last, next, speed);
      last = next;
    }
  };
  for await (const chunk of open()) {
    pipe.push(chunk);
    yield* flush();
  }
  pipe.finish();
  yield* flush();
  if (last !== undefined) yield* beats(last, undefined, speed);
}

function* beats({ time, lines }: Unit, next: Unit | undefined, speed: number): Generator<Beat> {
  const until = next?.time ?? time;
  const gap = time === undefined || until === undefined ? 0 : until - time;
  const pause = Math.min(Math.max(gap, 0), LONGEST_PAUSE_MS) / lines.length / speed;
  for (const text of lines) yield { text, afterMs: pause };
}

/** Undefined for a neutral timestamp. */
function timeOf(message: AgentMessage): number | undefined {
  return isSynthesised(message, "/timestamp") ? undefined : message.timestamp;
}

function linesOf(record: JsonRecord, dialect: Dialect): string[] {
  return (dialect.live?.(record, splitWords) ?? [record]).map(formatLine);
}

function splitWords(text: string): Iterable<string> {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
