import type { IndexedText } from "../digest.js";
import type { Pause } from "../pause.js";
import type { SearchedRole } from "../types.js";
import { ByteWriter } from "./byte-writer.js";
import { sortedTerms } from "./sorted-terms.js";
import { TermTable } from "./term-table.js";
import { Tokenizer } from "./tokenizer.js";

/** A message's role, by its number in a segment. */
export const ROLES: readonly SearchedRole[] = ["user", "assistant", "toolResult"];
/** How many terms a block of the dictionary has. */
export const BLOCK_TERMS = 64;
/** Work between two pauses. */
const STEP = 1 << 17;

/** The parts of a segment, in the order in which its file has them; see `segment-file.ts`. */
export interface SegmentParts {
  messages: number;
  tokens: number;
  blocks: number;
  /** The sessions' numbers, for each message. */
  sessions: Uint32Array;
  sections: Uint8Array[];
}

/** Collects messages, and inverts them into a segment of the text index. */
export class SegmentBuilder {
  readonly #terms = new TermTable();
  readonly #tokenizer = new Tokenizer(this.#terms);
  readonly #texts = new ByteWriter(1 << 16);
  readonly #ids = new ByteWriter();
  readonly #owners: number[] = [];
  readonly #roles: number[] = [];
  readonly #positions: number[] = [];
  readonly #timestamps: number[] = [];
  readonly #idEnds: number[] = [];
  readonly #textEnds: number[] = [];
  readonly #tokenEnds: number[] = [];

  /** The length of the texts in bytes. */
  get length(): number {
    return this.#texts.length;
  }

  get messages(): number {
    return this.#owners.length;
  }

  /** `owner` is the session's number, or what `finish` finds it by. */
  add(owner: number, { text, id, position, role, timestamp }: IndexedText): void {
    const start = this.#texts.length;
    this.#texts.text(text);
    this.#tokenizer.add(this.#texts.written().subarray(start));
    if (id !== undefined) this.#ids.text(id);
    this.#owners.push(owner);
    this.#roles.push(ROLES.indexOf(role));
    this.#positions.push(position);
    this.#timestamps.push(timestamp);
    this.#idEnds.push(this.#ids.length);
    this.#textEnds.push(this.#texts.length);
    this.#tokenEnds.push(this.#tokenizer.count);
  }

  /** The segment's parts, but for the numbers of its sessions. */
  async finish(pause: Pause): Promise<SegmentParts> {
    const order = sortedTerms(this.#terms);
    await pause();
    const { starts, messages, places } = await this.#invert(pause);
    const firsts = new ByteWriter();
    const blocks: number[] = [];
    const dictionary = new ByteWriter();
    const postings = new ByteWriter(this.#tokenizer.count);
    const offsets = new ByteWriter(this.#tokenizer.count);
    let work = 0;
    for (const [rank, term] of order.entries()) {
      const bytes = this.#terms.bytesOf(term);
      if (rank % BLOCK_TERMS === 0) {
        firsts.append(bytes);
        blocks.push(dictionary.length, postings.length, offsets.length, firsts.length);
      }
      const [from, to] = [starts[term] ?? 0, starts[term + 1] ?? 0];
      const [postingsStart, offsetsStart] = [postings.length, offsets.length];
      const count = writeOccurrences(messages, places, from, to, postings, offsets);
      dictionary.integer(bytes.length);
      dictionary.append(bytes);
      dictionary.integer(count);
      dictionary.integer(postings.length - postingsStart);
      dictionary.integer(offsets.length - offsetsStart);
      work += to - from + 1;
      if (work < STEP) continue;
      work = 0;
      await pause();
    }
    return {
      messages: this.messages,
      tokens: this.#tokenizer.count,
      blocks: blocks.length / 4,
      sessions: Uint32Array.from(this.#owners),
      sections: [
        bytesIn(Uint32Array.from(this.#tokenEnds)),
        bytesIn(Uint8Array.from(this.#roles)),
        bytesIn(Float64Array.from(this.#positions)),
        bytesIn(Float64Array.from(this.#timestamps)),
        bytesIn(Uint32Array.from(this.#idEnds)),
        bytesIn(Uint32Array.from(this.#textEnds)),
        bytesIn(Uint32Array.from(blocks)),
        firsts.written(),
        dictionary.written(),
        postings.written(),
        offsets.written(),
        this.#ids.written(),
        this.#texts.written(),
      ],
    };
  }

  /** For each term, the messages it occurs in and its places there, in order: a counting sort of all tokens. */
  async #invert(pause: Pause) {
    const tokens = this.#tokenizer.tokens();
    const starts = new Uint32Array(this.#terms.count + 1);
    for (let at = 0; at < tokens.length; at++) {
      const after = (tokens[at] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let term = 0; term < this.#terms.count; term++) {
      starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    }
    await pause();
    const next = starts.slice();
    const messages = new Uint32Array(tokens.length);
    const places = new Uint32Array(tokens.length);
    let begin = 0;
    let work = 0;
    for (const [message, end] of this.#tokenEnds.entries()) {
      for (let at = begin; at < end; at++) {
        const term = tokens[at] ?? 0;
        const to = next[term] ?? 0;
        next[term] = to + 1;
        messages[to] = message;
        places[to] = at - begin;
      }
      work += end - begin;
      begin = end;
      if (work < STEP) continue;
      work = 0;
      await pause();
    }
    return { starts, messages, places };
  }
}

/**
 * Writes the occurrences of a term: for each message, twice its distance to the one before, plus one if the term occurs in it
 * more than once, and then how often; apart from these, the distances between its places. Returns the number of messages.
 */
function writeOccurrences(
  messages: Uint32Array,
  places: Uint32Array,
  from: number,
  to: number,
  postings: ByteWriter,
  offsets: ByteWriter,
): number {
  let count = 0;
  let last = 0;
  for (let at = from; at < to; ) {
    const message = messages[at] ?? 0;
    const first = at;
    let place = 0;
    for (; at < to && messages[at] === message; at++) {
      const here = places[at] ?? 0;
      offsets.integer(here - place);
      place = here;
    }
    const times = at - first;
    postings.integer((message - last) * 2 + Number(times > 1));
    if (times > 1) postings.integer(times);
    last = message;
    count += 1;
  }
  return count;
}

function bytesIn({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
