import { wordsOf } from "../highlight.js";
import { separated } from "../searchable.js";
import type { TermTable } from "./term-table.js";

const HASH_SEED = 0x811c9dc5 | 0;
const HASH_FACTOR = 0x01000193;

/** Of a character that `isPunctuation` finds. */
const PUNCTUATION_BYTES = 3;

const SEPARATES = 0;
const NOT_ASCII = 1;
/** For each byte: the letter or digit in lower case, or one of the two above. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return NOT_ASCII;
  const character = String.fromCharCode(byte);
  return /[0-9A-Za-z]/.test(character) ? character.toLowerCase().charCodeAt(0) : SEPARATES;
});

/**
 * Whether a character that is not ASCII is one of U+2000 to U+203F (quotes, dashes, spaces) or U+2500 to U+25FF (boxes): the
 * frequent ones that no word has.
 */
function isPunctuation(text: Uint8Array, at: number): boolean {
  if (text[at] !== 0xe2) return false;
  const second = text[at + 1] ?? 0;
  return second === 0x80 || (second >= 0x94 && second <= 0x97);
}

/** Splits texts into terms, with the rules of `wordsOf`, and keeps the terms of all texts in order. */
export class Tokenizer {
  readonly #terms: TermTable;
  #tokens = new Uint32Array(1 << 16);
  #count = 0;

  constructor(terms: TermTable) {
    this.#terms = terms;
  }

  get count(): number {
    return this.#count;
  }

  /** The numbers of all terms so far, in order. */
  tokens(): Uint32Array {
    return this.#tokens.subarray(0, this.#count);
  }

  /** Adds a text in UTF-8. ASCII is split here, byte by byte; a stretch with other characters by regular expressions. */
  add(text: Uint8Array): void {
    this.#reserve((text.length >> 1) + 1);
    const terms = this.#terms;
    let { bytes, at: start } = terms.draft(text.length);
    let end = start;
    let hash = HASH_SEED;
    const { length } = text;
    for (let at = 0; at <= length; at++) {
      const folded = at === length ? SEPARATES : (FOLDED[text[at] ?? 0] ?? 0);
      if (folded > NOT_ASCII) {
        bytes[end++] = folded;
        hash = Math.imul(hash ^ folded, HASH_FACTOR);
      } else if (folded === NOT_ASCII && !isPunctuation(text, at)) {
        const first = at - (end - start);
        while (at < length && FOLDED[text[at] ?? 0] !== SEPARATES) at++;
        this.#addStretch(text.subarray(first, at), length - at);
        ({ bytes, at: start } = terms.draft(length - at));
        end = start;
        hash = HASH_SEED;
      } else {
        if (end > start) {
          const before = terms.count;
          this.#tokens[this.#count++] = terms.commit(end, hash);
          if (terms.count > before) start = end;
          end = start;
          hash = HASH_SEED;
        }
        if (folded === NOT_ASCII) at += PUNCTUATION_BYTES - 1;
      }
    }
  }

  #addStretch(stretch: Uint8Array, left: number): void {
    const words = wordsOf(separated(Buffer.from(stretch).toString()));
    this.#reserve(words.length + (left >> 1) + 1);
    for (const word of words) {
      // An accent without a letter.
      if (word === "") continue;
      const folded = Buffer.from(word);
      const { bytes, at } = this.#terms.draft(folded.length);
      bytes.set(folded, at);
      let hash = HASH_SEED;
      for (const byte of folded) hash = Math.imul(hash ^ byte, HASH_FACTOR);
      this.#tokens[this.#count++] = this.#terms.commit(at + folded.length, hash);
    }
  }

  #reserve(more: number): void {
    if (this.#count + more <= this.#tokens.length) return;
    const grown = new Uint32Array(Math.max(this.#tokens.length * 2, this.#count + more));
    grown.set(this.tokens());
    this.#tokens = grown;
  }
}
