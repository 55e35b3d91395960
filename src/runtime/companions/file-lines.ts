import { createReadStream } from "node:fs";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { LineSplitter } from "../../framing/lines.js";

const CHUNK_BYTES = 1024 * 1024;
const LF = Buffer.from("\n");

/** The lines of a file with their LF, as bytes; a last line without LF gets one. `end` is the byte to stop before. */
export async function* fileLines(path: string, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  if (end <= 0) return;
  const splitter = new LineSplitter();
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, end: end - 1 })) {
    for (const { bytes } of splitter.push(chunk)) yield Buffer.concat([bytes, LF]);
  }
  for (const { bytes } of splitter.finish()) yield Buffer.concat([bytes, LF]);
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
