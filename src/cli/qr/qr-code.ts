import { errorCorrection } from "./error-correction.js";
import { easiestGrid, type Grid } from "./grid.js";

/** For each size, from 1: the correction bytes of a block and the number of blocks, at level L. */
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];
const BYTE_MODE = 0b0100;

/**
 * A text as a QR code (ISO/IEC 18004, bytes, level L, sizes 1 to 20), without the margin: true is dark.
 *
 * @example
 * const rows = qrCode("2@abc…");
 */
export function qrCode(text: string): Grid {
  const bytes = new TextEncoder().encode(text);
  const size = CORRECTION.findIndex((_, index) => bytes.length <= roomOf(index + 1)) + 1;
  if (size === 0) throw new RangeError(`${bytes.length} bytes are too many for a QR code`);
  return easiestGrid(size, interleaved(dataOf(bytes, size), size));
}

/** The total number of bytes in a code of this size. */
function capacityOf(size: number): number {
  const alignments = size === 1 ? 0 : Math.floor(size / 7) + 2;
  const taken = size === 1 ? 0 : (25 * alignments - 10) * alignments - 55;
  return Math.floor(((16 * size + 128) * size + 64 - taken - (size >= 7 ? 36 : 0)) / 8);
}

function dataBytesOf(size: number): number {
  return capacityOf(size) - (CORRECTION[size - 1] ?? 0) * (BLOCKS[size - 1] ?? 0);
}

/** The space for the text after the mode and the length. */
function roomOf(size: number): number {
  return dataBytesOf(size) - (size < 10 ? 2 : 3);
}

/** Mode, length, text and padding. */
function dataOf(bytes: Uint8Array, size: number): Uint8Array {
  const lengthBits = size < 10 ? 8 : 16;
  const bits = [
    ...bitsOf(BYTE_MODE, 4),
    ...bitsOf(bytes.length, lengthBits),
    ...[...bytes].flatMap((byte) => bitsOf(byte, 8)),
    ...bitsOf(0, 4),
  ];
  const data = new Uint8Array(dataBytesOf(size));
  for (let index = 0; index < data.length; index++) {
    const byte = bits.slice(index * 8, index * 8 + 8);
    const filling = (index - Math.ceil(bits.length / 8)) % 2 === 0 ? 0xec : 0x11;
    data[index] = byte.length === 0 ? filling : byte.reduce((sum, bit, at) => sum | (bit << (7 - at)), 0);
  }
  return data;
}

/** Interleaves the blocks' bytes, then their correction bytes. The last blocks may be one byte longer. */
function interleaved(data: Uint8Array, size: number): Uint8Array {
  const count = BLOCKS[size - 1] ?? 1;
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  const blocks = Array.from({ length: count }, (_, index) => {
    const start = index * short + Math.max(0, index - (count - longer));
    return data.subarray(start, start + short + (index >= count - longer ? 1 : 0));
  });
  const corrections = blocks.map((block) => errorCorrection(block, CORRECTION[size - 1] ?? 0));
  return Uint8Array.from([...inTurn(blocks), ...inTurn(corrections)]);
}

function inTurn(rows: readonly Uint8Array[]): number[] {
  const longest = Math.max(...rows.map(({ length }) => length));
  return Array.from({ length: longest }, (_, column) => rows.flatMap((row) => row[column] ?? [])).flat();
}

function bitsOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (value >> (count - 1 - index)) & 1);
}
