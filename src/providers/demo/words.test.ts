import fc from "fast-check";
import { expect, test } from "vitest";
import { countWords, words } from "./words.js";

test.each<[string, number]>([
  ["", 0],
  [" ", 1],
  ["one", 1],
  [" one two ", 3],
  ["one\u00a0two\u2003three", 3],
])("%j has %i words", (text, count) => {
  expect(countWords(text)).toBe(count);
});

test("words are counted as they are split", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", " ", "\n", "\u00a0", "\u2028", "\ufeff", "\u0085") });
  fc.assert(
    fc.property(text, (given) => {
      expect(countWords(given)).toBe(words(given).length);
    }),
  );
});
