import type { FileHandle } from "node:fs/promises";
import { joinBytes } from "../../framing/bytes.js";
import type { PlacedLine } from "../entry.js";
import type { Position } from "../types.js";

const BLOCK_BYTES = 64 * 1024;
const LF = 0x0a;

export type Readable = Pick<FileHandle, "read">;

/** The complete lines before a position, last first. Bytes after the last LF are skipped. */
export async function* linesBackwards(
  file: Readable,
  before: Position,
): AsyncGenerator<PlacedLine, void, undefined> {
  /** The end of the current line; its pieces, last first. */
  let next: Position | undefined;
  let pieces: Uint8Array[] = [];
  for (let start = before; start > 0; ) {
    const block = await readBlock(file, Math.max(0, start - BLOCK_BYTES), start);
    start -= block.length;
    let stop = block.length;
    for (let lf = lastLf(block, stop); lf !== -1; lf = lastLf(block, stop)) {
      const position = start + lf + 1;
      pieces.push(block.subarray(lf + 1, stop));
      if (next !== undefined) yield { bytes: joinBytes(pieces.reverse()), position, next };
      next = position;
      pieces = [];
      stop = lf;
    }
    pieces.push(block.subarray(0, stop));
  }
  if (next !== undefined) yield { bytes: joinBytes(pieces.reverse()), position: 0, next };
}

/** The position after the last LF before a position. */
export async function endOfLines(file: Readable, before: Position): Promise<Position> {
  for (let start = before; start > 0; ) {
    const block = await readBlock(file, Math.max(0, start - BLOCK_BYTES), start);
    start -= block.length;
    const lf = lastLf(block, block.length);
    if (lf !== -1) return start + lf + 1;
  }
  return 0;
}

/** Whether a line can begin at a position. */
export async function isLineStart(file: Readable, position: Position): Promise<boolean> {
  if (!Number.isSafeInteger(position) || position < 0) return false;
  if (position === 0) return true;
  const { bytesRead, buffer } = await file.read(new Uint8Array(1), 0, 1, position - 1);
  return bytesRead === 1 && buffer[0] === LF;
}

/** The bytes between two positions; zeros at the end if the file has become shorter. */
async function readBlock(file: Readable, from: Position, to: Position): Promise<Uint8Array> {
  const block = new Uint8Array(to - from);
  let filled = 0;
  while (filled < block.length) {
    const { bytesRead } = await file.read(block, filled, block.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block;
}

function lastLf(block: Uint8Array, before: number): number {
  return before === 0 ? -1 : block.lastIndexOf(LF, before - 1);
}
