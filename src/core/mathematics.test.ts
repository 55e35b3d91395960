import { expect, test } from "vitest";
import { findMathematics, openMathematics } from "./mathematics.js";

const found = (text: string) => [...findMathematics(text)].map(({ source, display }) => [source, display]);

test.each([
  [
    "\\(a_1\\) and \\[b\\]",
    [
      ["\\(a_1\\)", false],
      ["\\[b\\]", true],
    ],
  ],
  [
    "$$a$$ $b$ $$\n\\text{$c$}\n$$",
    [
      ["$$a$$", true],
      ["$b$", false],
      ["$$\n\\text{$c$}\n$$", true],
    ],
  ],
  ["\\[\na \\\\[2pt]\n\nb\n\\]", [["\\[\na \\\\[2pt]\n\nb\n\\]", true]]],
  ["\\(a\nb\\)", [["\\(a\nb\\)", false]]],
  [
    "$2x + 1$ or ($x$)",
    [
      ["$2x + 1$", false],
      ["$x$", false],
    ],
  ],
])("%j has formulas", (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  "$5 or $6, US$7-$8",
  "5$ or 6$",
  "$5 per head, or 6$",
  "$HOME/$USER and $PATH:$HOME",
  "`\\(a\\)` and `$a$`",
  "\\\\(a\\\\) \\$a\\$ \\(\n\n\\)",
  "\\[ \\] \\[ ] \\[a](b) \\[a\\](b) \\( \\)",
  "$ a $ $$ $$",
])("%j has none", (text) => {
  expect(found(text)).toEqual([]);
});

test.each([
  ["\\[", { at: 0, close: "\\]", alone: true }],
  ["so \\(a\\) is \\[ b", { at: 12, close: "\\]", alone: false }],
  ["so $$", { at: 3, close: "$$", alone: false }],
  ["$$ a", { at: 0, close: "$$", alone: false }],
  ["pay $$ now", undefined],
  ["\\[a](b) `\\(`", undefined],
])("%j opens", (line, expected) => {
  expect(openMathematics(line)).toEqual(expected);
});

test("a long text without closing delimiters costs no more than its length", () => {
  const started = performance.now();
  for (const opening of ["\\(a", "\\[a", "$$a ", "$a ", "`$a", "\\("]) found(opening.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(3_000);
});
