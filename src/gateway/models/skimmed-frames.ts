import { type EventShape, editEvents, editsFor, splitAtValues } from "../../framing/event-shape.js";
import { readSkimmed, type SkimmedEvents, skimmedBytes } from "../../framing/sse-skim.js";
import type { SourcePayload } from "../../providers/forward.js";
import type { BodyPiece } from "../types.js";

type Write = (events: SkimmedEvents) => BodyPiece;

/**
 * Writes events that were not parsed as their shape's sample is written, with their own values. `writeOne` returns an event
 * with other constants, but must keep the values.
 */
export function skimmedFrames(writeOne: (payload: SourcePayload) => string): Write {
  const writers = new Map<EventShape, Write>();

  function writerFor(shape: EventShape): Write {
    const { names, constants } = splitAtValues(writeOne(parsed(shape.sample)), new Set(shape.fields));
    if (!isSame(names, shape.fields))
      return (events) => readSkimmed(events).map(parsed).map(writeOne).join("");
    const edits = editsFor(shape, constants);
    if (edits.length === 0) return skimmedBytes;
    return ({ text, start, end }) => ({ byteString: editEvents(shape, edits, text, start, end) });
  }

  return (events) => {
    const { shape } = events;
    const write = writers.get(shape) ?? writerFor(shape);
    writers.set(shape, write);
    return write(events);
  };
}

function parsed({ event, data }: EventShape["sample"]): SourcePayload {
  return { event, data, value: JSON.parse(data) };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
