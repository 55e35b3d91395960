import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { isSystemError } from "../../../core/system-error.js";
import { ByteReader } from "./byte-writer.js";
import { BLOCK_TERMS, type SegmentParts } from "./segment-builder.js";
import { compareBytes } from "./sorted-terms.js";

/**
 * A file of the text index: messages, and the terms that occur in them. It is written once.
 *
 *     header      magic, messages, tokens, blocks of the dictionary, length of each section; each 32 bits, as the machine has them
 *     messages    columns: session, tokens up to its end, role, position, time, end of its id, end of its text
 *     dictionary  blocks of 64 terms, sorted by their bytes: length, bytes, number of messages, length of its postings and offsets
 *     postings    for each term, the messages and how often it occurs in each
 *     offsets     for each term and message, its places, counted in tokens
 *     ids, texts  UTF-8
 */
const SECTIONS = [
  ...(["sessions", "tokenEnds", "roles", "positions", "timestamps", "idEnds", "textEnds"] as const),
  ...(["blocks", "firsts", "dictionary", "postings", "offsets", "ids", "texts"] as const),
];
type Section = (typeof SECTIONS)[number];

/** `drg1`; another byte order reads another number. */
const MAGIC = 0x31677264;
const HEADER_NUMBERS = 4 + SECTIONS.length;

/** The file is missing, cut off, or not a segment. */
export class DamagedSegment extends Error {}

/** Writes a segment; the file must not exist. */
export function writeSegment(path: string, parts: SegmentParts): void {
  const sessions = new Uint8Array(parts.sessions.buffer);
  const sections = [sessions, ...parts.sections];
  const header = Uint32Array.of(
    ...[MAGIC, parts.messages, parts.tokens, parts.blocks],
    ...sections.map(({ length }) => length),
  );
  const file = openSync(path, "wx", 0o600);
  try {
    for (const section of [new Uint8Array(header.buffer), ...sections]) {
      for (let at = 0; at < section.length; ) at += writeSync(file, section, at);
    }
  } finally {
    closeSync(file);
  }
}

/** A term's place in the file. */
export interface TermEntry {
  /** How many messages it occurs in. */
  messages: number;
  postings: Place;
  offsets: Place;
}

interface Place {
  at: number;
  length: number;
}

/** An open segment. What is read of it is remembered while it is open. */
export class Segment {
  readonly messages: number;
  readonly tokens: number;
  readonly #file: number;
  readonly #places = new Map<Section, Place>();
  readonly #read = new Map<Section, ArrayBuffer>();

  constructor(path: string) {
    this.#file = opened(path);
    try {
      const header = new Uint32Array(this.#bytes({ at: 0, length: HEADER_NUMBERS * 4 }));
      const [magic, messages = 0, tokens = 0, , ...lengths] = header;
      let at = header.byteLength;
      for (const [index, name] of SECTIONS.entries()) {
        const length = lengths[index] ?? 0;
        this.#places.set(name, { at, length });
        at += length;
      }
      if (magic !== MAGIC || fstatSync(this.#file).size !== at) throw new DamagedSegment("it is not whole");
      this.messages = messages;
      this.tokens = tokens;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  integers(section: "sessions" | "tokenEnds" | "idEnds" | "textEnds" | "blocks"): Uint32Array {
    return new Uint32Array(this.#section(section));
  }

  numbers(section: "positions" | "timestamps"): Float64Array {
    return new Float64Array(this.#section(section));
  }

  roles(): Uint8Array {
    return new Uint8Array(this.#section("roles"));
  }

  /** A message's id, or undefined if it has none, or its text. */
  stringOf(section: "ids" | "texts", message: number): string | undefined {
    const ends = this.integers(section === "ids" ? "idEnds" : "textEnds");
    const from = message === 0 ? 0 : (ends[message - 1] ?? 0);
    const bytes = this.#within(section, from, (ends[message] ?? 0) - from);
    return bytes.length === 0 ? undefined : Buffer.from(bytes.buffer).toString();
  }

  /** The terms from this one on, in order, for as long as they begin with it. */
  *termsFrom(prefix: Uint8Array): Generator<{ isExact: boolean; entry: TermEntry }> {
    const blocks = this.integers("blocks");
    const count = blocks.length / 4;
    for (let block = this.#blockOf(prefix); block < count; block++) {
      const [at = 0, postingsAt = 0, offsetsAt = 0] = blocks.subarray(block * 4);
      const end = block + 1 < count ? (blocks[(block + 1) * 4] ?? 0) : this.#place("dictionary").length;
      const reader = new ByteReader(this.#within("dictionary", at, end - at));
      const next = { postings: postingsAt, offsets: offsetsAt };
      for (let term = 0; term < BLOCK_TERMS && reader.at < end - at; term++) {
        const bytes = reader.take(reader.integer());
        const entry = {
          messages: reader.integer(),
          postings: { at: next.postings, length: reader.integer() },
          offsets: { at: next.offsets, length: reader.integer() },
        };
        if (reader.isDamaged) throw new DamagedSegment("its dictionary is not readable");
        next.postings += entry.postings.length;
        next.offsets += entry.offsets.length;
        const order = compareBytes(bytes.subarray(0, prefix.length), prefix);
        if (order > 0) return;
        if (order === 0) yield { isExact: bytes.length === prefix.length, entry };
      }
    }
  }

  reader(section: "postings" | "offsets", entry: TermEntry): ByteReader {
    const { at, length } = entry[section];
    return new ByteReader(this.#within(section, at, length));
  }

  /** The last block whose first term is not after this one. */
  #blockOf(term: Uint8Array): number {
    const blocks = this.integers("blocks");
    const firsts = new Uint8Array(this.#section("firsts"));
    let [low, high] = [0, blocks.length / 4 - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const from = blocks[(middle - 1) * 4 + 3] ?? 0;
      const first = firsts.subarray(from, blocks[middle * 4 + 3]);
      if (compareBytes(first, term) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #section(name: Section): ArrayBuffer {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const bytes = this.#bytes(this.#place(name));
    this.#read.set(name, bytes);
    return bytes;
  }

  #within(section: Section, from: number, length: number): Uint8Array<ArrayBuffer> {
    const place = this.#place(section);
    if (from + length > place.length) throw new DamagedSegment(`its ${section} are not readable`);
    return new Uint8Array(this.#bytes({ at: place.at + from, length }));
  }

  #place(section: Section): Place {
    const place = this.#places.get(section);
    if (place === undefined) throw new DamagedSegment(`it has no ${section}`);
    return place;
  }

  #bytes({ at, length }: Place): ArrayBuffer {
    const bytes = new Uint8Array(length);
    for (let read = 0; read < length; ) {
      const count = readSync(this.#file, bytes, read, length - read, at + read);
      if (count === 0) throw new DamagedSegment("it is cut off");
      read += count;
    }
    return bytes.buffer;
  }
}

function opened(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (isSystemError(error)) throw new DamagedSegment(error.message, { cause: error });
    throw error;
  }
}
