import { MATCH_BEGIN, MATCH_END } from "./searchable.js";

/** A word or phrase that was searched for. */
export interface SearchTerm {
  words: string[];
  /** The last word is a prefix. */
  prefix: boolean;
}

/** Letters, digits, private-use characters and combining accents. */
const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
const ACCENTS = /\p{M}/gu;
const ASCII = /^[\0-\x7f]*$/;

interface Word {
  folded: string;
  start: number;
  end: number;
}

/** The words of a text as indexed: lower case, without accents. */
export function wordsOf(text: string): string[] {
  return [...split(text)].map(({ folded }) => folded);
}

function* split(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    yield { folded: fold(word), start: index, end: index + word.length };
  }
}

function fold(word: string): string {
  const plain = ASCII.test(word) ? word : word.normalize("NFD").replace(ACCENTS, "");
  return plain.toLowerCase();
}

/** The text with marks around the matches. */
export function highlight(text: string, wanted: readonly SearchTerm[]): string {
  const words = [...split(text)];
  let marked = "";
  let at = 0;
  for (let index = 0; index < words.length; ) {
    const length = Math.max(
      0,
      ...wanted.map((term) => (matches(words, index, term) ? term.words.length : 0)),
    );
    const [first, last] = [words[index], words[index + length - 1]];
    if (length > 0 && first !== undefined && last !== undefined) {
      marked += `${text.slice(at, first.start)}${MATCH_BEGIN}${text.slice(first.start, last.end)}${MATCH_END}`;
      at = last.end;
    }
    index += Math.max(1, length);
  }
  return marked + text.slice(at);
}

function matches(words: readonly Word[], index: number, { words: wanted, prefix }: SearchTerm): boolean {
  return wanted.every((word, offset) => {
    const found = words[index + offset]?.folded;
    const open = prefix && offset === wanted.length - 1;
    return open ? found?.startsWith(word) === true : found === word;
  });
}
