import type { Folded, FoldLoss, Frame, Framing, JsonRecord } from "../core/dialect.js";
import { DragomanError, type Place } from "../core/error.js";
import { locatePointer } from "../core/json/locate.js";
import { findInexactNumbers } from "../core/json/numbers.js";
import { parseJson } from "../core/json/parse.js";
import { findRepeatedKeys } from "../core/json/repeated-keys.js";
import { isUnchanged } from "../core/json/unchanged.js";
import { isObject } from "../core/json/value.js";
import type { Loss } from "../core/types.js";
import { joinBytes } from "../framing/bytes.js";
import { decodeLine, type Line } from "../framing/lines.js";
import { ObjectSplitter } from "../framing/object-splitter.js";
import { isEventStream, type Payload, streamPayloads } from "../framing/payloads.js";

/** A record and its place in the source. */
export interface SourceRecord {
  value: JsonRecord;
  /** The record's pointer in the source. */
  at: string;
  /** The text it was read from, the record's pointer in it, and the number of its first line. */
  text: string;
  inText: string;
  line: number;
  /** The column at which the text starts (default: 1). */
  column?: number;
  /** Its index among the records; in a file of lines, among the non-blank lines. */
  index: number;
}

/** Where a text starts in the source that it was cut out of. */
export interface TextStart {
  /** The pointer of its value. */
  at: string;
  line: number;
  column: number;
}

export interface ReadOptions {
  /** For a document that was cut out of a larger one: where it starts, for places. */
  start?: TextStart | undefined;
  onLoss?: (loss: Loss) => void;
  /** Called with unreadable text, which is skipped; without it, reading throws. */
  onBad?: (error: DragomanError, bad: SourceText) => void;
  /** Called with each loss of folding frames: its line, and the original frames. */
  onFolded?: (loss: FoldLoss, line: number, frames: readonly SourceText[]) => void;
  /** Called with each parsed text: a line, or the whole document. */
  onText?: (text: string, place: { at: string; line: number; column?: number }, value: unknown) => void;
  /** Lines to count but not parse. Called for lines that start an object. */
  skip?: (line: Uint8Array) => boolean;
}

/** A line, or the whole document. */
export interface SourceText {
  at: string;
  line: number;
  /** Invalid UTF-8 is replaced. */
  text: string;
}

/**
 * Bytes to records. Lines are parsed one at a time as the caller iterates, so that each record can be freed before the
 * next. Frames and documents are returned by `finish`.
 */
export interface RecordReader {
  push(chunk: Uint8Array): Iterable<SourceRecord>;
  finish(): Iterable<SourceRecord>;
}

export type DocumentFraming = Extract<Framing, { kind: "document" }>;

export function recordReader(framing: Framing, options: ReadOptions = {}): RecordReader {
  switch (framing.kind) {
    case "lines":
      return new LineReader(options);
    case "frames":
      return new FrameReader(framing.fold, options);
    case "document":
      return new DocumentReader(framing, options);
    case "text":
      throw new DragomanError("convert/one-way", "text for people is only written, not read");
  }
}

/** The same error with the place of a pointer into a record. */
function withPlace(
  error: DragomanError,
  { at, text, inText, ...start }: Omit<SourceRecord, "value" | "index">,
  pointer: string,
): DragomanError {
  const place = { at: `${at}${pointer}`, ...inSource(locatePointer(text, `${inText}${pointer}`), start) };
  return new DragomanError(error.code, error.message, { ...place, hint: error.hint, cause: error });
}

/** A line and column of a text as those of the source in which the text starts there. */
export function inSource(
  { line = 1, column = 1 }: Place = {},
  start: { line: number; column?: number },
): { line: number; column: number } {
  const shift = line === 1 ? (start.column ?? 1) - 1 : 0;
  return { line: start.line + line - 1, column: column + shift };
}

/** The same error with its place in the source; its `at` points into a unit of records. */
export function placed(error: unknown, unit: readonly SourceRecord[]): unknown {
  if (!(error instanceof DragomanError) || error.line !== undefined) return error;
  const [, index = "0"] = (error.at ?? "/0").split("/");
  const record = unit[Number(index)];
  return record === undefined ? error : withPlace(error, record, (error.at ?? "/0").slice(1 + index.length));
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
        const { value, text } = parsed;
        const place = { at, line: line.line };
        if (!isObject(value)) throw notAnObject(value, "on each line", { ...place, column: 1 });
        reportText(parsed, place, this.#options);
        yield { value, text, inText: "", index: this.#index, ...place };
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
      const texts = frames.flatMap((index) => textOf(byIndex.get(index)));
      this.#options.onFolded?.(loss, line, texts);
    }
    return records.map(({ value, index }) => {
      const frame = byIndex.get(index);
      return { value, at: `/${index}`, text: frame?.text ?? "", inText: "", line: frame?.line ?? 1, index };
    });
  }

  /** The protocol requires receivers to ignore lines that are not JSON; they are reported as losses. */
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
        const why = `it is not JSON: ${error.message}`;
        this.#options.onLoss?.({ at, what: `line ${line.line}`, why, severity: "dropped" });
      }
      this.#index++;
    }
  }
}

class DocumentReader implements RecordReader {
  readonly #framing: DocumentFraming;
  readonly #options: ReadOptions;
  readonly #chunks: Uint8Array[] = [];

  constructor(framing: DocumentFraming, options: ReadOptions) {
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
      reportText({ text, value }, this.#start, this.#options);
      return this.#records(members, text, value);
    } catch (error) {
      const { at, line } = this.#start;
      skipOrThrow(this.#moved(error), badLine({ bytes, line }, at), this.#options);
      return [];
    }
  }

  get #start(): TextStart {
    return this.#options.start ?? { at: "", line: 1, column: 1 };
  }

  /** The error with its place in the source instead of in the text. */
  #moved(error: unknown): unknown {
    const { start } = this.#options;
    if (start === undefined || !(error instanceof DragomanError)) return error;
    const place = { at: `${start.at}${error.at ?? ""}`, ...inSource(error, start) };
    return new DragomanError(error.code, error.message, { ...place, hint: error.hint, cause: error });
  }

  /** The result has no text of its own, so later errors name only the payload. */
  #fold(payloads: readonly Payload[], fold: (payloads: readonly unknown[]) => unknown): SourceRecord[] {
    const values = payloads.map((payload, index) => {
      const value = parsePayload(payload);
      const place = { at: `/payloads/${index}`, line: payload.line };
      reportText({ text: payload.text, value }, place, this.#options);
      return value;
    });
    const document = fold(values);
    return this.#records(this.#framing.split(document), "", document);
  }

  #records(members: readonly unknown[], text: string, document: unknown): SourceRecord[] {
    const onBad = (error: DragomanError, bad: SourceText) => {
      // `finish` adds the start to the place of what is thrown.
      if (this.#options.onBad === undefined) throw error;
      const { at, line } = inSourceText(bad, this.#start);
      skipOrThrow(this.#moved(error), { ...bad, at, line }, this.#options);
    };
    const records = recordsOf(members, { text, document }, this.#framing, onBad);
    if (this.#options.start === undefined) return records;
    const { at: above, line, column } = this.#start;
    return records.map((record) => ({ ...record, at: `${above}${record.at}`, line, column }));
  }

  #split(text: string, value: unknown): unknown[] {
    try {
      return this.#framing.split(value);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.line !== undefined) throw error;
      throw withPlace(error, { at: "", text, inText: "", line: 1 }, error.at ?? "");
    }
  }
}

function inSourceText({ at, line }: SourceText, start: TextStart): { at: string; line: number } {
  return { at: `${start.at}${at}`, line: start.line + line - 1 };
}

/** The records among a document's members; each other member is reported. */
export function recordsOf(
  members: readonly unknown[],
  { text, document }: { text: string; document: unknown },
  framing: DocumentFraming,
  onBad: (error: DragomanError, bad: SourceText) => void,
): SourceRecord[] {
  const pointerOf = pointersIn(framing, document);
  return members.flatMap((value, index) => {
    const at = pointerOf(index);
    if (isObject(value)) return [{ value, at, text, inText: at, line: 1, index }];
    const { line = 1, column = 1 } = locatePointer(text, at) ?? {};
    const error = notAnObject(value, "for each message", { at, line, column });
    onBad(error, { at, line, text: JSON.stringify(value) });
    return [];
  });
}

/** The pointer to each record of a document. */
export function pointersIn(framing: DocumentFraming, document: unknown): (index: number) => string {
  const known = framing.pointers?.(document);
  return (index) => known?.[index] ?? framing.pointer(index);
}

/** A document never has two objects on consecutive lines without a comma. */
const OBJECT_LINES = /^\s*\{[^\n]*\}[^\S\n]*\n\s*\{/;

function isStream(text: string): boolean {
  return isEventStream(text) || OBJECT_LINES.test(text);
}

/** Some streams end with a marker that is not JSON. */
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
  place: { at: string; line: number; column?: number },
  { onLoss, onText }: ReadOptions,
): void {
  onText?.(text, place, value);
  if (onLoss === undefined || isUnchanged(text, value)) return;
  const { at } = place;
  for (const { source } of findInexactNumbers(text)) {
    const why = `it is stored as the double ${JSON.stringify(Number(source))}`;
    onLoss({ at, what: `the number ${source}`, why, severity: "approximated" });
  }
  for (const { key } of findRepeatedKeys(text)) {
    const why = "the key is repeated; the last one is used";
    onLoss({ at, what: `the earlier value of ${JSON.stringify(key)}`, why, severity: "dropped" });
  }
}

function textOf(frame: SourceFrame | undefined): SourceText[] {
  return frame === undefined ? [] : [{ at: `/${frame.index}`, line: frame.line, text: frame.text }];
}

function notAnObject(value: unknown, where: string, place: Place): DragomanError {
  const found = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
  return new DragomanError("model/invalid", `expected an object ${where}, found ${found}`, place);
}

function badLine({ bytes, line }: Pick<Line, "bytes" | "line">, at: string): SourceText {
  return { at, line, text: new TextDecoder().decode(bytes) };
}

function skipOrThrow(error: unknown, bad: SourceText, { onBad }: ReadOptions): void {
  if (onBad === undefined || !(error instanceof DragomanError)) throw error;
  onBad(error, bad);
}
