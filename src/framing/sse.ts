import { DragomanError } from "../core/error.js";
import { Utf8Stream } from "./utf8.js";

/** The default maximum length of an event in UTF-16 units. */
export const MAX_EVENT_LENGTH = 64 * 1024 * 1024;

export interface SseEvent {
  /** Default: `"message"`. */
  event: string;
  /** The `data` lines joined by LF. */
  data: string;
  /** The last id that the stream set, here or earlier; `""` if none. */
  id: string;
  /** Milliseconds to wait before reconnecting, if the stream set it since the previous event. */
  retry?: number;
}

export interface SseOptions {
  /** Data plus current line longer than this are `framing/event-too-long` (default: `MAX_EVENT_LENGTH`). */
  maxEventLength?: number;
  /** Called with each comment line, without its colon and one space. */
  onComment?: (text: string) => void;
}

/**
 * Reads `text/event-stream` as the WHATWG HTML standard defines it, each character once however the bytes are chunked. By
 * that standard, bad UTF-8 becomes U+FFFD and an event without a `data` line is dropped.
 *
 * Events before a failure are not lost: `push` returns them, sets `failure`, and the next call throws. Without such events
 * `push` itself throws.
 *
 * @example
 * const reader = new SseReader();
 * for (const chunk of chunks) for (const event of reader.push(chunk)) use(JSON.parse(event.data));
 */
export class SseReader {
  failure: DragomanError | undefined;
  readonly #maxEventLength: number;
  readonly #onComment: ((text: string) => void) | undefined;
  readonly #utf8 = new Utf8Stream();
  #atStart = true;
  /** The text ended with CR; an LF that follows belongs to it. */
  #afterCr = false;
  /** The start of an unfinished line. Only appended to, so that it is flattened once. */
  #rest = "";
  #line = 1;
  #event = "";
  #data: string | undefined;
  #id = "";
  #retry: number | undefined;

  constructor(options: SseOptions = {}) {
    this.#maxEventLength = options.maxEventLength ?? MAX_EVENT_LENGTH;
    this.#onComment = options.onComment;
  }

  push(chunk: Uint8Array): SseEvent[] {
    return this.pushText(this.#utf8.push(chunk));
  }

  /** Like `push`, for text that is decoded already. */
  pushText(text: string): SseEvent[] {
    if (this.failure !== undefined) throw this.failure;
    const events: SseEvent[] = [];
    try {
      this.#read(text, events);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      this.failure = error;
      if (events.length === 0) throw error;
    }
    return events;
  }

  /** The unfinished last event, if it has data. The standard discards it, but some servers omit the last blank line. */
  finish(): SseEvent | undefined {
    if (this.failure !== undefined) throw this.failure;
    const events: SseEvent[] = [];
    // One LF ends the line, another the event.
    this.#read(`${this.#utf8.finish()}\n\n`, events);
    return events[0];
  }

  #read(text: string, events: SseEvent[]): void {
    if (text === "") return;
    let start = this.#skip(text);
    let lf = text.indexOf("\n", start);
    let cr = text.indexOf("\r", start);
    while (lf !== -1 || cr !== -1) {
      let end = lf;
      let next = lf + 1;
      if (cr !== -1 && (lf === -1 || cr < lf)) {
        end = cr;
        next = lf === cr + 1 ? cr + 2 : cr + 1;
        this.#afterCr = next === cr + 1 && next === text.length;
        cr = text.indexOf("\r", next);
      }
      if (this.#rest === "") {
        this.#readLine(text, start, end, events);
      } else {
        const line = this.#rest + text.slice(start, end);
        this.#rest = "";
        this.#readLine(line, 0, line.length, events);
      }
      if (lf !== -1 && lf < next) lf = text.charCodeAt(next) === 10 ? next : text.indexOf("\n", next);
      start = next;
    }
    if (start < text.length) this.#rest += text.slice(start);
    this.#checkLength(this.#rest.length);
  }

  /** The number of characters to skip: a byte order mark at the start, or the LF of a CRLF split between chunks. */
  #skip(text: string): number {
    const skipped = (this.#atStart && text.startsWith("\ufeff")) || (this.#afterCr && text.startsWith("\n"));
    this.#atStart = false;
    this.#afterCr = false;
    return skipped ? 1 : 0;
  }

  #readLine(text: string, start: number, end: number, events: SseEvent[]): void {
    if (start === end) {
      this.#dispatch(events);
    } else {
      this.#checkLength(end - start);
      // A match cannot run past `end`, because a line ending or nothing is there.
      if (isData(text, start)) this.#addData(text.slice(valueStart(text, start + 5), end));
      else if (isEvent(text, start)) this.#event = text.slice(valueStart(text, start + 6), end);
      else this.#readRareLine(text.slice(start, end));
    }
    this.#line += 1;
  }

  #readRareLine(line: string): void {
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(valueStart(line, colon + 1));
    if (colon === 0) this.#onComment?.(value);
    else if (field === "data") this.#addData(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^[0-9]+$/.test(value)) {
      this.#retry = Math.min(Number(value), Number.MAX_SAFE_INTEGER);
    }
  }

  #addData(value: string): void {
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data !== undefined) {
      const event: SseEvent = { event: this.#event || "message", data: this.#data, id: this.#id };
      if (this.#retry !== undefined) event.retry = this.#retry;
      events.push(event);
      this.#data = undefined;
      this.#retry = undefined;
    }
    this.#event = "";
  }

  #checkLength(lineLength: number): void {
    if ((this.#data?.length ?? 0) + lineLength <= this.#maxEventLength) return;
    throw new DragomanError(
      "framing/event-too-long",
      `the event at line ${this.#line} is longer than ${this.#maxEventLength} UTF-16 units`,
      { line: this.#line, hint: "check that this is an event stream, or raise maxEventLength" },
    );
  }
}

// The fields of nearly every line are compared by character: `startsWith` makes an event a quarter slower.

function isData(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === 0x64 && // d
    text.charCodeAt(at + 1) === 0x61 && // a
    text.charCodeAt(at + 2) === 0x74 && // t
    text.charCodeAt(at + 3) === 0x61 && // a
    text.charCodeAt(at + 4) === 0x3a // :
  );
}

function isEvent(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === 0x65 && // e
    text.charCodeAt(at + 1) === 0x76 && // v
    text.charCodeAt(at + 2) === 0x65 && // e
    text.charCodeAt(at + 3) === 0x6e && // n
    text.charCodeAt(at + 4) === 0x74 && // t
    text.charCodeAt(at + 5) === 0x3a // :
  );
}

function valueStart(text: string, afterColon: number): number {
  return text.charCodeAt(afterColon) === 0x20 ? afterColon + 1 : afterColon;
}

/** The events of a byte stream, including an unfinished last one (see `SseReader.finish`). */
export async function* readSse(
  source: AsyncIterable<Uint8Array>,
  options?: SseOptions,
): AsyncGenerator<SseEvent, void, undefined> {
  const reader = new SseReader(options);
  for await (const chunk of source) {
    for (const event of reader.push(chunk)) yield event;
    if (reader.failure !== undefined) throw reader.failure;
  }
  const last = reader.finish();
  if (last !== undefined) yield last;
}
