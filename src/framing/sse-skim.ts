import { byteText, joinBytes, textBytes } from "./bytes.js";
import { type EventShape, matchEvent, matchEvents, mayMatch, shapeOf } from "./event-shape.js";
import { type SseEvent, SseReader } from "./sse.js";

/** Events that differ from one that was read only in the values of some fields. */
export interface SkimmedEvents {
  shape: EventShape;
  /** Bytes that contain the events, and the same as a text with a character for each byte. */
  bytes: Uint8Array;
  text: string;
  /** Where the events start and end. */
  start: number;
  end: number;
}

/** How many shapes are remembered: a stream may alternate between a few, such as those of parallel tool calls. */
const MAX_SHAPES = 4;
/** How many events are read before shapes are remembered: a short answer is read in less time than its shapes are found. */
const READ_FIRST = 8;

/**
 * Reads `text/event-stream`. After the first events, one that differs from an earlier one only in the values of the given
 * fields is not read but returned as it arrived. It must have the usual framing, with LF line endings.
 *
 * @example
 * const skimmer = new SseSkimmer(["text"]);
 * for (const piece of skimmer.push(bytes)) "shape" in piece ? forward(skimmedBytes(piece)) : use(piece.data);
 */
export class SseSkimmer {
  readonly #fields: ReadonlySet<string>;
  readonly #reader = new SseReader();
  #eventsRead = 0;
  /** The latest first. */
  #shapes: readonly EventShape[] = [];
  /** The start of an event that may have a known shape. The reader has the start of any other. */
  #cut = "";
  /** The end of what the reader has, enough of it to recognise a blank line. */
  #tail = "\n\n";

  constructor(fields: Iterable<string>) {
    this.#fields = new Set(fields);
  }

  /** Takes chunks that arrived together, so that their events are returned together. */
  push(...chunks: Uint8Array[]): (SseEvent | SkimmedEvents)[] {
    const pieces: (SseEvent | SkimmedEvents)[] = [];
    const cut = this.#cut;
    this.#cut = "";
    const bytes = together(cut, chunks);
    const text = byteText(bytes);
    for (let at = this.#finishEvent(text, pieces); at < text.length; ) {
      const skimmed = this.#skim(bytes, text, at);
      const end = skimmed?.end ?? eventEnd(text, at);
      // A longer event is read, so that its start is not searched again and again.
      const wasCut = at < cut.length;
      if (skimmed !== undefined) pieces.push(skimmed);
      else if (!wasCut && this.#isCut(text.slice(at, end))) this.#cut = text.slice(at);
      else this.#readEvents(text.slice(at, end), pieces);
      at = end;
    }
    return pieces;
  }

  finish(): SseEvent | undefined {
    this.#reader.push(textBytes(this.#cut));
    return this.#reader.finish();
  }

  /** Reads the rest of an event whose start the reader has. Returns where the next one starts. */
  #finishEvent(text: string, pieces: (SseEvent | SkimmedEvents)[]): number {
    if (this.#tail.endsWith("\n\n")) return 0;
    const end = this.#tail.endsWith("\n") && text.startsWith("\n") ? 1 : eventEnd(text, 0);
    this.#readEvents(text.slice(0, end), pieces);
    return end;
  }

  #readEvents(text: string, pieces: (SseEvent | SkimmedEvents)[]): void {
    this.#tail = `${this.#tail}${text.slice(-2)}`.slice(-2);
    for (const event of this.#reader.push(textBytes(text))) {
      pieces.push(event);
      if (this.#eventsRead++ < READ_FIRST) continue;
      const shape = shapeOf(event, this.#fields);
      if (shape !== undefined) this.#shapes = [shape, ...this.#shapes.slice(0, MAX_SHAPES - 1)];
    }
  }

  /** As many events of one shape as there are at this place. */
  #skim(bytes: Uint8Array, text: string, at: number): SkimmedEvents | undefined {
    for (const shape of this.#shapes) {
      const end = matchEvents(shape, text, at);
      if (end > at) return { shape, bytes, text, start: at, end };
    }
    return undefined;
  }

  /** Whether this is the start of an event that may be skimmed when its end arrives. With CR, it may be whole events. */
  #isCut(text: string): boolean {
    if (text.endsWith("\n\n") || text.includes("\r")) return false;
    return this.#shapes.some((shape) => mayMatch(shape, text));
  }
}

/** The rest of the chunks before, and chunks that arrived together. Node joins them without clearing the memory first. */
function together(cut: string, chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (cut === "" && chunks.length === 1 && first !== undefined) return first;
  const parts = [textBytes(cut), ...chunks];
  return globalThis.Buffer?.concat(parts) ?? joinBytes(parts);
}

/** Skimmed events as they arrived. */
export function skimmedBytes({ bytes, start, end }: SkimmedEvents): Uint8Array {
  return bytes.subarray(start, end);
}

/** The same, read. */
export function readSkimmed(events: SkimmedEvents): SseEvent[] {
  return new SseReader().push(skimmedBytes(events));
}

/** The first of several events, read, and the others, if any. */
export function splitSkimmed(events: SkimmedEvents): [first: SseEvent[], others?: SkimmedEvents] {
  const { shape, text, start, end } = events;
  const others = matchEvent(shape, text, start);
  const first = readSkimmed({ ...events, end: others });
  return others === end ? [first] : [first, { ...events, start: others }];
}

/** After the blank line that ends the event, or the end of the text. */
function eventEnd(text: string, start: number): number {
  const blank = text.indexOf("\n\n", start);
  return blank < 0 ? text.length : blank + 2;
}
