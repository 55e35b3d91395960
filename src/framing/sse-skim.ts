import { byteText, joinBytes } from "./bytes.js";
import { type EventShape, matchEvent, matchEvents, mayMatch, shapeOf } from "./event-shape.js";
import { type SseEvent, SseReader } from "./sse.js";

/** Events that differ from one that was read only in the values of some fields. */
export interface SkimmedEvents {
  shape: EventShape;
  /** The events as they arrived. */
  bytes: Uint8Array;
  /** Text that contains the events; each character is a byte. */
  text: string;
  /** Where the events start and end in the text. */
  start: number;
  end: number;
}

/** Bytes, and the same as a text in which each character is a byte. */
interface RawText {
  bytes: Uint8Array;
  text: string;
}

/** How many shapes are remembered: a stream may alternate between a few, such as those of parallel tool calls. */
const MAX_SHAPES = 4;

/**
 * Reads `text/event-stream`. An event that differs from an earlier one only in the values of the given fields is not read but
 * returned as it arrived. It must have the usual framing, with LF line endings.
 *
 * @example
 * const skimmer = new SseSkimmer(["text"]);
 * for (const piece of skimmer.push(bytes)) "shape" in piece ? forward(piece.bytes) : use(piece.data);
 */
export class SseSkimmer {
  readonly #fields: ReadonlySet<string>;
  readonly #reader = new SseReader();
  /** The latest first. */
  #shapes: readonly EventShape[] = [];
  /** The start of an event that may have a known shape. The reader has the start of any other. */
  #cut: RawText | undefined;
  /** The end of what the reader has, enough of it to recognise a blank line. */
  #tail = "\n\n";

  constructor(fields: Iterable<string>) {
    this.#fields = new Set(fields);
  }

  push(chunk: Uint8Array): (SseEvent | SkimmedEvents)[] {
    const pieces: (SseEvent | SkimmedEvents)[] = [];
    const text = byteText(chunk);
    let at = this.#finishEvent(chunk, text, pieces);
    while (at < text.length) {
      const skimmed = this.#skim(chunk, text, at);
      if (skimmed !== undefined) {
        pieces.push(skimmed);
        at += skimmed.bytes.length;
        continue;
      }
      const end = eventEnd(text, at);
      const event = { bytes: chunk.subarray(at, end), text: text.slice(at, end) };
      if (this.#isCut(event.text)) this.#cut = event;
      else this.#read(event, pieces);
      at = end;
    }
    return pieces;
  }

  finish(): SseEvent | undefined {
    if (this.#cut !== undefined) this.#reader.push(this.#cut.bytes);
    return this.#reader.finish();
  }

  /** Reads or skims the rest of an event that started in an earlier chunk. Returns where the next one starts. */
  #finishEvent(chunk: Uint8Array, text: string, pieces: (SseEvent | SkimmedEvents)[]): number {
    const cut = this.#cut;
    this.#cut = undefined;
    const before = cut?.text ?? this.#tail;
    if (before.endsWith("\n\n")) return 0;
    const end = before.endsWith("\n") && text.startsWith("\n") ? 1 : eventEnd(text, 0);
    const rest = { bytes: chunk.subarray(0, end), text: text.slice(0, end) };
    if (cut !== undefined) {
      const skimmed = this.#skim(joinBytes([cut.bytes, rest.bytes]), cut.text + rest.text, 0);
      if (skimmed !== undefined) {
        pieces.push(skimmed);
        return end;
      }
      this.#read(cut, pieces);
    }
    this.#read(rest, pieces);
    return end;
  }

  #read({ bytes, text }: RawText, pieces: (SseEvent | SkimmedEvents)[]): void {
    this.#tail = `${this.#tail}${text.slice(-2)}`.slice(-2);
    for (const event of this.#reader.push(bytes)) {
      pieces.push(event);
      const shape = shapeOf(event, this.#fields);
      if (shape !== undefined) this.#shapes = [shape, ...this.#shapes.slice(0, MAX_SHAPES - 1)];
    }
  }

  /** As many events of one shape as there are at this place. */
  #skim(chunk: Uint8Array, text: string, at: number): SkimmedEvents | undefined {
    for (const shape of this.#shapes) {
      const end = matchEvents(shape, text, at);
      if (end > at) return { shape, bytes: chunk.subarray(at, end), text, start: at, end };
    }
    return undefined;
  }

  /** Whether this is the start of an event that may be skimmed when its end arrives. With CR, it may be whole events. */
  #isCut(text: string): boolean {
    if (text.endsWith("\n\n") || text.includes("\r")) return false;
    return this.#shapes.some((shape) => mayMatch(shape, text));
  }
}

/** The first of several events, read, and the others, if any. */
export function splitSkimmed(events: SkimmedEvents): [first: SseEvent[], others?: SkimmedEvents] {
  const { shape, bytes, text, start, end } = events;
  const others = matchEvent(shape, text, start);
  const first = new SseReader().push(bytes.subarray(0, others - start));
  return others === end
    ? [first]
    : [first, { ...events, bytes: bytes.subarray(others - start), start: others }];
}

/** After the blank line that ends the event, or the end of the text. */
function eventEnd(text: string, start: number): number {
  const blank = text.indexOf("\n\n", start);
  return blank < 0 ? text.length : blank + 2;
}
