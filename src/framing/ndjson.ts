import { DragomanError } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";
import { writeJson } from "../core/json/write.js";
import { isBlank } from "./bytes.js";
import { decodeLine, type Line, type LineOptions, LineSplitter } from "./lines.js";

export interface NdjsonRecord {
  value: unknown;
  /** Counted from 1, including blank lines. */
  line: number;
  /** The byte offset of the line in the source. */
  offset: number;
  /** The line as it was read, without its LF. */
  text: string;
}

/**
 * Reads newline-delimited JSON. Blank lines are skipped. The first bad line ends it with `json/syntax`, `json/too-deep`,
 * `framing/invalid-utf8` or `framing/line-too-long`; to continue after bad lines use `LineSplitter`, `decodeLine` and
 * `parseJson`.
 *
 * Records before a failure are not lost: `push` returns them, sets `failure`, and the next call throws. Without such
 * records `push` itself throws.
 *
 * @example
 * const reader = new NdjsonReader();
 * for (const chunk of chunks) for (const { value } of reader.push(chunk)) use(value);
 * for (const { value } of reader.finish()) use(value);
 */
export class NdjsonReader {
  failure: DragomanError | undefined;
  readonly #splitter: LineSplitter;

  constructor(options?: LineOptions) {
    this.#splitter = new LineSplitter(options);
  }

  push(chunk: Uint8Array): NdjsonRecord[] {
    if (this.failure !== undefined) throw this.failure;
    return this.#parse(this.#splitter.push(chunk));
  }

  /** The record in a last line without LF, if any. */
  finish(): NdjsonRecord[] {
    if (this.failure !== undefined) throw this.failure;
    return this.#parse(this.#splitter.finish());
  }

  #parse(lines: Line[]): NdjsonRecord[] {
    const records: NdjsonRecord[] = [];
    try {
      for (const line of lines) {
        if (line.bytes.every(isBlank)) continue;
        const text = decodeLine(line);
        records.push({
          value: parseJson(text, { line: line.line }),
          line: line.line,
          offset: line.offset,
          text,
        });
      }
      this.failure = this.#splitter.failure;
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      this.failure = error;
    }
    if (this.failure !== undefined && records.length === 0) throw this.failure;
    return records;
  }
}

/** The records of a byte stream, in constant memory. */
export async function* readNdjson(
  source: AsyncIterable<Uint8Array>,
  options?: LineOptions,
): AsyncGenerator<NdjsonRecord, void, undefined> {
  const reader = new NdjsonReader(options);
  for await (const chunk of source) {
    for (const record of reader.push(chunk)) yield record;
    if (reader.failure !== undefined) throw reader.failure;
  }
  for (const record of reader.finish()) yield record;
}

/**
 * One value as a line that can be read back. Throws `model/invalid` for a value that JSON cannot represent, `json/too-deep`
 * for one that is nested too deep.
 *
 * @example
 * formatLine({ role: "user" }); // '{"role":"user"}\n'
 */
export function formatLine(value: unknown): string {
  return `${writeJson(value)}\n`;
}
