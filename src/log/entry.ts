import { DragomanError } from "../core/error.js";
import { parseJson } from "../core/json/parse.js";
import { parse } from "../core/validate.js";
import { decodeLine } from "../framing/lines.js";
import type { BadLine, Entry, Position } from "./types.js";

/** A line and its position. `line` is its number, if the reader started at the beginning. */
export interface PlacedLine {
  bytes: Uint8Array;
  position: Position;
  next: Position;
  line?: number | undefined;
}

/** A line's message, or what is wrong with it; undefined for a blank line. */
export function entryOf({ bytes, position, next, line }: PlacedLine): Entry | BadLine | undefined {
  if (isBlank(bytes)) return undefined;
  try {
    const text = decodeLine({ bytes, line: line ?? 1, offset: position });
    return { message: parse("AgentMessage", parseJson(text)), position, next };
  } catch (cause) {
    if (!(cause instanceof DragomanError)) throw cause;
    const where = line === undefined ? `the line at byte ${position}` : `line ${line}`;
    const problem = new DragomanError("log/bad-line", `${where} is not a message: ${cause.message}`, {
      ...(line === undefined ? {} : { line }),
      ...(cause.column === undefined ? {} : { column: cause.column }),
      ...(cause.at === undefined ? {} : { at: cause.at }),
      hint: "the line stays in the file and is skipped; run `dragoman check` for details",
      cause,
    });
    return { position, next, problem };
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
