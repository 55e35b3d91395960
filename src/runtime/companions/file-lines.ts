import { createReadStream } from "node:fs";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { type Line, LineSplitter } from "../../framing/lines.js";

const CHUNK_BYTES = 1024 * 1024;
const LF = Buffer.from("\n");

/**
 * The lines of a file without their LF, as bytes, in the batches in which they are read: a step of an async iteration costs as
 * much as reading several lines. `end` is the byte to stop before.
 */
export async function* fileLines(path: string, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer[]> {
  if (end <= 0) return;
  const splitter = new LineSplitter();
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, end: end - 1 })) {
    yield splitter.push(chunk).map(bufferOf);
  }
  yield splitter.finish().map(bufferOf);
}

function bufferOf({ bytes }: Line): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The bytes of lines, each with an LF. */
export function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, LF]));
}

const BRACE = 0x7b;

export function isBlank(line: Buffer): boolean {
  return line[0] !== BRACE && line.toString("latin1").trim() === "";
}

/** The object on a line; undefined if it is not one. */
export function objectOn(line: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    // The reader of the joined session reports damaged lines.
    return undefined;
  }
}
