import type { Folded, FoldLoss, Frame, Framing, JsonRecord } from "../core/dialect.js";
import { DragomanError, type Place } from "../core/error.js";
import { locatePointer } from "../core/json/locate.js";
import { findInexactNumbers } from "../core/json/numbers.js";
import { parseJson } from "../core/json/parse.js";
import { findRepeatedKeys } from "../core/json/repeated-keys.js";
import { isObject } from "../core/json/value.js";
import type { Loss } from "../core/types.js";
import { joinBytes } from "../framing/bytes.js";
import { decodeLine, type Line } from "../framing/lines.js";
import { ObjectSplitter } from "../framing/object-splitter.js";
import { isEventStream, type Payload, streamPayloads } from "../framing/payloads.js";

/** A record and how to say where it stands. */
export interface SourceRecord {
  value: JsonRecord;
  /** The pointer of the record in its source. */
  at: string;
  /** The text it was read from, the pointer of the record in it, and the number of its first line. */
  text: string;
  inText: string;
  line: number;
}

export interface ReadOptions {
  onLoss?: (loss: Loss) => void;
  /** Called with what cannot be read, which is then left out; without it reading stops there. */
  onBad?: (error: DragomanError, bad: SourceText) => void;
  /** Called with what folding frames did not keep: the line of its `at`, and the frames as they were. */
  onFolded?: (loss: FoldLoss, line: number, frames: readonly SourceText[]) => void;
  /** Called with each text that was parsed: a line, or the whole document. */
  onText?: (text: string, place: { at: string; line: number }, value: unknown) => void;
  /** Lines that need not be read: they are counted, and that is all. Asked of lines that begin an object. */
  skip?: (line: Uint8Array) => boolean;
}

/** A line, or the whole document. */
export interface SourceText {
  at: string;
  line: number;
  /** As it was; what is not UTF-8 is replaced. */
  text: string;
}

/**
 * Bytes to records, pushed. Lines are handed on as they come, each read when it is asked for: what was made of the one
 * before can be forgotten by then. Frames and documents come when all is there.
 */
export interface RecordReader {
  push(chunk: Uint8Array): Iterable<SourceRecord>;
  finish(): Iterable<SourceRecord>;
}

export function recordReader(framing: Framing, options: ReadOptions = {}): RecordReader {
  switch (framing.kind) {
    case "lines":
      return new LineReader(options);
    case "frames":
      return new FrameReader(framing.fold, options);
    case "document":
      return new DocumentReader(framing, options);
  }
}

/** Where a pointer into a record is, in the source. */
function placeOf(record: SourceRecord, pointer: string): Required<Place> {
  const found = locatePointer(record.text, `${record.inText}${pointer}`);
  return {
    at: `${record.at}${pointer}`,
    line: record.line + (found?.line ?? 1) - 1,
    column: found?.column ?? 1,
  };
}

/** The same error with its place in the source; `at` of the error points into a unit of records. */
export function placed(error: unknown, unit: readonly SourceRecord[]): unknown {
  if (!(error instanceof DragomanError) || error.line !== undefined) return error;
  const [, index = "0"] = (error.at ?? "/0").split("/");
  const record = unit[Number(index)];
  if (record === undefined) return error;
  const place = placeOf(record, (error.at ?? "/0").slice(1 + index.length));
  return new DragomanError(error.code, error.message, {
    ...place,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    cause: error,
  });
}

const BRACE = 0x7b;

class LineReader implements RecordReader {
  readonly #splitter = new ObjectSplitter();
  readonly #options: ReadOptions;
  #index = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): Iterable<SourceRecord> {
    return this.#records(this.#splitter.push(chunk));
  }

  finish(): Iterable<SourceRecord> {
    return this.#records(this.#splitter.finish());
  }

  *#records(lines: Line[]): Generator<SourceRecord> {
    for (const line of lines) {
      if (line.bytes[0] === BRACE && this.#options.skip?.(line.bytes) === true) {
        this.#index++;
        continue;
      }
      const at = `/${this.#index}`;
      try {
        const parsed = parseLine(line);
        if (parsed === undefined) continue;
        if (!isObject(parsed.value))
          throw notAnObject(parsed.value, "on each line", { at, line: line.line, column: 1 });
        reportText(parsed, { at, line: line.line }, this.#options);
        yield { value: parsed.value, at, text: parsed.text, inText: "", line: line.line };
      } catch (error) {
        skipOrThrow(error, badLine(line, at), this.#options);
      }
      this.#index++;
    }
  }
}

type SourceFrame = Frame & { text: string; line: number };

class FrameReader implements RecordReader {
  readonly #splitter = new ObjectSplitter();
  readonly #fold: (frames: readonly Frame[]) => Folded;
  readonly #options: ReadOptions;
  readonly #frames: SourceFrame[] = [];
  #index = 0;

  constructor(fold: (frames: readonly Frame[]) => Folded, options: ReadOptions) {
    this.#fold = fold;
    this.#options = options;
  }

  push(chunk: Uint8Array): SourceRecord[] {
    this.#addFrames(this.#splitter.push(chunk));
    return [];
  }

  finish(): SourceRecord[] {
    this.#addFrames(this.#splitter.finish());
    const { records, losses } = this.#fold(this.#frames);
    const byIndex = new Map(this.#frames.map((frame) => [frame.index, frame]));
    for (const loss of losses) {
      const { frames, ...rest } = loss;
      this.#options.onLoss?.(rest);
      const line = byIndex.get(Number(loss.at.split("/")[1]))?.line ?? 1;
      this.#options.onFolded?.(
        loss,
        line,
        frames.flatMap((index) => textOf(byIndex.get(index))),
      );
    }
    return records.map(({ value, index }) => {
      const frame = byIndex.get(index);
      return { value, at: `/${index}`, text: frame?.text ?? "", inText: "", line: frame?.line ?? 1 };
    });
  }

  /** A line that is not JSON is no frame: the protocol says to ignore it, and we say that we did. */
  #addFrames(lines: Line[]): void {
    for (const line of lines) {
      const at = `/${this.#index}`;
      try {
        const parsed = parseLine(line);
        if (parsed === undefined) continue;
        reportText(parsed, { at, line: line.line }, this.#options);
        this.#frames.push({ value: parsed.value, index: this.#index, text: parsed.text, line: line.line });
      } catch (error) {
        if (!(error instanceof DragomanError)) throw error;
        this.#options.onBad?.(error, badLine(line, at));
        this.#options.onLoss?.({
          at,
          what: `line ${line.line}`,
          why: `it is not JSON: ${error.message}`,
          severity: "dropped",
        });
      }
      this.#index++;
    }
  }
}

class DocumentReader implements RecordReader {
  readonly #framing: Extract<Framing, { kind: "document" }>;
  readonly #options: ReadOptions;
  readonly #chunks: Uint8Array[] = [];

  constructor(framing: Extract<Framing, { kind: "document" }>, options: ReadOptions) {
    this.#framing = framing;
    this.#options = options;
  }

  push(chunk: Uint8Array): SourceRecord[] {
    // `slice` of a Node Buffer is a view, not a copy.
    this.#chunks.push(new Uint8Array(chunk));
    return [];
  }

  finish(): SourceRecord[] {
    const bytes = joinBytes(this.#chunks);
    try {
      const text = decodeDocument(bytes);
      const { fold } = this.#framing;
      if (fold !== undefined && isStream(text)) return this.#fold(streamPayloads(text), fold);
      const value = parseJson(text);
      const members = this.#split(text, value);
      reportText({ text, value }, { at: "", line: 1 }, this.#options);
      return this.#records(members, text);
    } catch (error) {
      skipOrThrow(error, { at: "", line: 1, text: lenientText(bytes) }, this.#options);
      return [];
    }
  }

  /** What stands in no document has no place in one: errors further on name the payload only. */
  #fold(payloads: readonly Payload[], fold: (payloads: readonly unknown[]) => unknown): SourceRecord[] {
    const values = payloads.map((payload, index) => {
      const value = parsePayload(payload);
      const place = { at: `/payloads/${index}`, line: payload.line };
      reportText({ text: payload.text, value }, place, this.#options);
      return value;
    });
    return this.#records(this.#framing.split(fold(values)), "");
  }

  #records(members: readonly unknown[], text: string): SourceRecord[] {
    return recordsOf(members, text, this.#framing, (error, bad) => skipOrThrow(error, bad, this.#options));
  }

  #split(text: string, value: unknown): unknown[] {
    try {
      return this.#framing.split(value);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.line !== undefined) throw error;
      const place = locatePointer(text, error.at ?? "");
      throw new DragomanError(error.code, error.message, {
        at: error.at ?? "",
        line: place?.line ?? 1,
        column: place?.column ?? 1,
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        cause: error,
      });
    }
  }
}

/** The records among the members of a document; any other member is bad by itself. */
export function recordsOf(
  members: readonly unknown[],
  text: string,
  { pointer }: Extract<Framing, { kind: "document" }>,
  onBad: (error: DragomanError, bad: SourceText) => void,
): SourceRecord[] {
  return members.flatMap((value, index) => {
    const at = pointer(index);
    if (isObject(value)) return [{ value, at, text, inText: at, line: 1 }];
    const { line = 1, column = 1 } = locatePointer(text, at) ?? {};
    const error = notAnObject(value, "for each message", { at, line, column });
    onBad(error, { at, line, text: JSON.stringify(value) });
    return [];
  });
}

/** No document has an object right after another one, each in a line of its own. */
const OBJECT_LINES = /^\s*\{[^\n]*\}[^\S\n]*\n\s*\{/;

function isStream(text: string): boolean {
  return isEventStream(text) || OBJECT_LINES.test(text);
}

/** Some streams end with a mark that is not JSON. */
function parsePayload({ text, line }: Payload): unknown {
  return text === "[DONE]" ? text : parseJson(text, { line });
}

/** The text of a whole document, strictly UTF-8, without a byte order mark. */
function decodeDocument(bytes: Uint8Array): string {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return decodeLine({ bytes: bom ? bytes.subarray(3) : bytes, line: 1, offset: bom ? 3 : 0 });
}

/** Undefined for a blank line. */
function parseLine(line: Line): { value: unknown; text: string } | undefined {
  const text = decodeLine(line);
  if (text.trim() === "") return undefined;
  return { value: parseJson(text, { line: line.line }), text };
}

function reportText(
  { text, value }: { text: string; value: unknown },
  place: { at: string; line: number },
  { onLoss, onText }: ReadOptions,
): void {
  onText?.(text, place, value);
  if (onLoss === undefined) return;
  for (const { source } of findInexactNumbers(text)) {
    onLoss({
      at: place.at,
      what: `the number ${source}`,
      why: `a double holds it as ${JSON.stringify(Number(source))}`,
      severity: "approximated",
    });
  }
  for (const { key } of findRepeatedKeys(text, value)) {
    onLoss({
      at: place.at,
      what: `what ${JSON.stringify(key)} said first`,
      why: "the key is repeated; the last one counts",
      severity: "dropped",
    });
  }
}

function textOf(frame: SourceFrame | undefined): SourceText[] {
  return frame === undefined ? [] : [{ at: `/${frame.index}`, line: frame.line, text: frame.text }];
}

function notAnObject(value: unknown, where: string, place: Place): DragomanError {
  const found = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
  return new DragomanError("model/invalid", `expected an object ${where}, found ${found}`, place);
}

function badLine({ bytes, line }: Line, at: string): SourceText {
  return { at, line, text: lenientText(bytes) };
}

function lenientText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function skipOrThrow(error: unknown, bad: SourceText, { onBad }: ReadOptions): void {
  if (onBad === undefined || !(error instanceof DragomanError)) throw error;
  onBad(error, bad);
}
