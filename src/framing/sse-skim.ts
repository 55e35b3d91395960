import { type SseEvent, SseReader } from "./sse.js";
import { Utf8Stream } from "./utf8.js";

/** Complete events as they arrived, not read. */
export interface SkimmedEvents {
  skimmed: string;
  /** The same as bytes, if they are ASCII: encoding the text again takes longer than skimming it. */
  bytes?: Uint8Array;
}

/**
 * Reads `text/event-stream`, but returns the text of complete events that the caller does not need to read. Only events with
 * LF line endings are skimmed.
 *
 * @example
 * const skimmer = new SseSkimmer(/(?:event: delta\n[^\n]*\n\n)+/y);
 * skimmer.push(bytes);
 */
export class SseSkimmer {
  readonly #skippable: RegExp;
  readonly #reader = new SseReader();
  readonly #utf8 = new Utf8Stream();
  /** The end of the text so far, enough of it to recognise a blank line. */
  #tail = "\n\n";

  /** `skippable` is a sticky expression that matches complete events, with the blank line after each. */
  constructor(skippable: RegExp) {
    this.#skippable = skippable;
  }

  push(chunk: Uint8Array): (SseEvent | SkimmedEvents)[] {
    const text = this.#utf8.push(chunk);
    // Other characters have more bytes than UTF-16 units.
    const isAscii = text.length === chunk.length;
    let at = this.#findEventStart(text);
    this.#tail = `${this.#tail}${text.slice(-2)}`.slice(-2);
    if (at < 0) return this.#reader.pushText(text);
    const pieces: (SseEvent | SkimmedEvents)[] = this.#reader.pushText(text.slice(0, at));
    while (at < text.length) {
      const skimmedEnd = this.#skip(text, at);
      if (skimmedEnd > at) {
        const skimmed = text.slice(at, skimmedEnd);
        pieces.push(isAscii ? { skimmed, bytes: chunk.subarray(at, skimmedEnd) } : { skimmed });
      }
      const blank = text.indexOf("\n\n", skimmedEnd);
      at = blank < 0 ? text.length : blank + 2;
      pieces.push(...this.#reader.pushText(text.slice(skimmedEnd, at)));
    }
    return pieces;
  }

  finish(): SseEvent | undefined {
    this.#reader.pushText(this.#utf8.finish());
    return this.#reader.finish();
  }

  #skip(text: string, start: number): number {
    this.#skippable.lastIndex = start;
    return this.#skippable.test(text) ? this.#skippable.lastIndex : start;
  }

  /** Where the first event starts that is not the rest of one from the last chunk; -1 if there is none. */
  #findEventStart(text: string): number {
    if (this.#tail === "\n\n") return 0;
    if (this.#tail.endsWith("\n") && text.startsWith("\n")) return 1;
    const blank = text.indexOf("\n\n");
    return blank < 0 ? -1 : blank + 2;
  }
}
