import { type SseEvent, SseReader } from "./sse.js";
import { Utf8Stream } from "./utf8.js";

/** Complete events as they arrived, not read. */
export interface SkimmedEvents {
  skimmed: string;
}

/**
 * Reads `text/event-stream`, but leaves out the work for complete events that the caller does not need: it returns their text
 * instead. Only streams with LF line endings are skimmed.
 *
 * @example
 * const skimmer = new SseSkimmer();
 * skimmer.push(bytes, (events) => !events.includes("event: end\n"));
 */
export class SseSkimmer {
  readonly #reader = new SseReader();
  readonly #utf8 = new Utf8Stream();
  /** The end of the text so far, enough of it to recognise a blank line. */
  #tail = "\n\n";

  /** `canSkim` is asked about all events that are complete in this chunk. */
  push(chunk: Uint8Array, canSkim?: (events: string) => boolean): (SseEvent | SkimmedEvents)[] {
    const text = this.#utf8.push(chunk);
    const start = canSkim === undefined ? -1 : this.#findEventStart(text);
    const lastBlank = text.lastIndexOf("\n\n");
    this.#tail = `${this.#tail}${text.slice(-2)}`.slice(-2);
    if (start < 0 || lastBlank < start || text.includes("\r")) return this.#reader.pushText(text);
    const end = lastBlank + 2;
    const events = text.slice(start, end);
    if (canSkim?.(events) !== true) return this.#reader.pushText(text);
    const before = this.#reader.pushText(text.slice(0, start));
    const after = this.#reader.pushText(text.slice(end));
    return [...before, { skimmed: events }, ...after];
  }

  finish(): SseEvent | undefined {
    this.#reader.pushText(this.#utf8.finish());
    return this.#reader.finish();
  }

  /** Where the first event starts that is not the rest of one from the last chunk; -1 if there is none. */
  #findEventStart(text: string): number {
    if (this.#tail === "\n\n") return 0;
    if (this.#tail.endsWith("\n") && text.startsWith("\n")) return 1;
    const blank = text.indexOf("\n\n");
    return blank < 0 ? -1 : blank + 2;
  }
}
