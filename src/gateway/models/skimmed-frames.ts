import { textBytes } from "../../framing/bytes.js";
import { type EventShape, splitAtValues, valueBounds } from "../../framing/event-shape.js";
import { SseReader } from "../../framing/sse.js";
import { type SkimmedEvents, skimmedBytes } from "../../framing/sse-skim.js";
import type { SourcePayload } from "../../providers/forward.js";

type Write = (events: SkimmedEvents) => string | Uint8Array;

/**
 * Writes events that were not parsed as their shape's sample is written, with their own values. `writeOne` returns an event
 * with other constants, but must keep the values.
 */
export function skimmedFrames(writeOne: (payload: SourcePayload) => string): Write {
  const writers = new Map<EventShape, Write>();

  function writerFor(shape: EventShape): Write {
    const { names, constants } = splitAtValues(writeOne(parsed(shape.sample)), new Set(shape.fields));
    if (!isSame(names, shape.fields)) return (events) => readEvents(events).map(writeOne).join("");
    if (isSame(constants, shape.constants)) return skimmedBytes;
    return (events) => withConstants(events, constants);
  }

  return (events) => {
    const { shape } = events;
    const write = writers.get(shape) ?? writerFor(shape);
    writers.set(shape, write);
    return write(events);
  };
}

function withConstants({ shape, text, start, end }: SkimmedEvents, constants: readonly string[]): Uint8Array {
  const bounds = valueBounds(shape, text, start, end);
  const last = constants.length - 1;
  let written = "";
  for (let at = 0; at < bounds.length; ) {
    for (let index = 0; index < last; index++, at += 2) {
      written += constants[index] + text.slice(bounds[at], bounds[at + 1]);
    }
    written += constants[last];
  }
  return textBytes(written);
}

function readEvents(events: SkimmedEvents): SourcePayload[] {
  return new SseReader().push(skimmedBytes(events)).map(parsed);
}

function parsed({ event, data }: EventShape["sample"]): SourcePayload {
  return { event, data, value: JSON.parse(data) };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
