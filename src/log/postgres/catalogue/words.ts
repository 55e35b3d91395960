import { type SearchTerm, wordsOf } from "../../catalogue/highlight.js";

/** PostgreSQL counts no further. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
/** PostgreSQL indexes no longer words. */
const MAX_WORD_BYTES = 2_000;

/**
 * The words of a text as a `tsvector`: with our own rules for words, so that a match is what is highlighted.
 *
 * @param text as `separated` returns it
 */
export function vectorOf(text: string): string {
  const places = new Map<string, number[]>();
  let position = 0;
  for (const word of wordsOf(text)) {
    position = Math.min(position + 1, MAX_POSITION);
    if (word === "" || Buffer.byteLength(word) > MAX_WORD_BYTES) continue;
    const found = places.get(word);
    if (found === undefined) places.set(word, [position]);
    else if (found.length < MAX_POSITIONS && found.at(-1) !== position) found.push(position);
  }
  return [...places].map(([word, positions]) => `'${word}':${positions.join(",")}`).join(" ");
}

/** Words consist of letters and digits, so that nothing has to be escaped. */
export function queryOf(wanted: readonly SearchTerm[], excluded: readonly SearchTerm[]): string {
  return [...wanted.map(phraseOf), ...excluded.map((term) => `!${phraseOf(term)}`)].join(" & ");
}

function phraseOf({ words, prefix }: SearchTerm): string {
  const last = words.length - 1;
  return `(${words.map((word, index) => `'${word}'${prefix && index === last ? ":*" : ""}`).join(" <-> ")})`;
}
