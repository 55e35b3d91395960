import { fstatSync, readSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
const FRAMES_AT_ONCE = 256;

type ReadWord = (at: number) => number;
type Checksum = readonly [number, number];

/**
 * Where the pages of a write-ahead log are. SQLite appends changed pages to the log and copies them to the database later:
 *
 *     header  magic, version, page size, checkpoint number, salt × 2, checksum × 2
 *     frame   page number, pages in the database if this frame ends a transaction, salt × 2, checksum × 2, the page
 *
 * A frame counts if it has the salts of the header, its checksum covers everything before it, and its transaction is
 * complete.
 */
export class WalIndex {
  readonly header: Buffer;
  readonly pageSize: number;
  /** The offset of the latest version of each page. */
  readonly offsets = new Map<number, number>();
  readonly #isBigEndian: boolean;
  /** After the last complete transaction. What follows may still be overwritten. */
  #end = HEADER_BYTES;
  #checksum: Checksum;

  private constructor(header: Buffer, checksum: Checksum) {
    this.header = header;
    this.pageSize = header.readUInt32BE(8);
    this.#isBigEndian = isBigEndian(header);
    this.#checksum = checksum;
  }

  /** Undefined if the file has no valid header: SQLite ignores such a log. */
  static from(file: number): WalIndex | undefined {
    const header = readHeader(file);
    if (header.length < HEADER_BYTES || (header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return undefined;
    const checksum = addTo([0, 0], wordsOf(header, isBigEndian(header)), 0, 24);
    const isValid = checksum[0] === header.readUInt32BE(24) && checksum[1] === header.readUInt32BE(28);
    return isValid ? new WalIndex(header, checksum) : undefined;
  }

  /** Adds the transactions that were completed since the last call. */
  update(file: number): void {
    const frameSize = FRAME_HEADER_BYTES + this.pageSize;
    const { size } = fstatSync(file);
    const added = new Map<number, number>();
    let checksum = this.#checksum;
    let offset = this.#end;
    while (offset + frameSize <= size) {
      const frames = Math.min(FRAMES_AT_ONCE, Math.floor((size - offset) / frameSize));
      const bytes = readAt(file, offset, frames * frameSize);
      const word = wordsOf(bytes, this.#isBigEndian);
      for (let at = 0; at + frameSize <= bytes.length; at += frameSize) {
        if (bytes.compare(this.header, 16, 24, at + 8, at + 16) !== 0) return;
        checksum = addTo(checksum, word, at, at + 8);
        checksum = addTo(checksum, word, at + FRAME_HEADER_BYTES, at + frameSize);
        if (checksum[0] !== bytes.readUInt32BE(at + 16) || checksum[1] !== bytes.readUInt32BE(at + 20))
          return;
        added.set(bytes.readUInt32BE(at), offset + at + FRAME_HEADER_BYTES);
        if (bytes.readUInt32BE(at + 4) === 0) continue;
        for (const [page, place] of added) this.offsets.set(page, place);
        added.clear();
        this.#end = offset + at + frameSize;
        this.#checksum = checksum;
      }
      if (bytes.length < frames * frameSize) return;
      offset += bytes.length;
    }
  }
}

export function readHeader(file: number): Buffer {
  return readAt(file, 0, HEADER_BYTES);
}

/** Fewer bytes than asked for at the end of the file. */
export function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** The byte order of the words in checksums, which is that of the computer that created the log. */
function isBigEndian(header: Buffer): boolean {
  return (header.readUInt32BE(0) & 1) === 1;
}

function wordsOf(bytes: Buffer, bigEndian: boolean): ReadWord {
  return bigEndian ? (at) => bytes.readUInt32BE(at) : (at) => bytes.readUInt32LE(at);
}

function addTo([first, second]: Checksum, word: ReadWord, from: number, to: number): Checksum {
  let a = first;
  let b = second;
  for (let at = from; at < to; at += 8) {
    a = (a + word(at) + b) >>> 0;
    b = (b + word(at + 4) + a) >>> 0;
  }
  return [a, b];
}
