import fc from "fast-check";
import { expect, test } from "vitest";
import { MarkdownSplitter, type Piece, piecesOf } from "./split-markdown.js";

function split(deltas: readonly string[]): MarkdownSplitter {
  const splitter = new MarkdownSplitter();
  for (const delta of deltas) splitter.push(delta);
  return splitter;
}

const open = ({ blocks, tail }: MarkdownSplitter) => ({ blocks, tail });

test.each([
  ["paragraphs", "one\n\ntwo\nmore", ["one\n\n"], "two\nmore"],
  ["a line that is not complete", "one\n\ntwo", [], "one\n\ntwo"],
  ["a list stays whole", "- a\n\n- b\n\n  more of b\n- c\n", [], "- a\n\n- b\n\n  more of b\n- c\n"],
  ["a list ends where text begins at the margin", "1. a\n\ntext\n", ["1. a\n\n"], "text\n"],
  ["blank lines in code", "```js\na\n\nb\n```\nafter\n", ["```js\na\n\nb\n```\n"], "after\n"],
  ["a longer fence holds a shorter one", "````\n```\n\nx\n````\n", ["````\n```\n\nx\n````\n"], ""],
  ["code in a list", "- a\n  ```\n  x\n\n  y\n  ```\n", [], "- a\n  ```\n  x\n\n  y\n  ```\n"],
  ["blank lines in a formula", "\\[\na\n\nb\n\\]\n\nx\n", ["\\[\na\n\nb\n\\]\n\n"], "x\n"],
  ["a formula that is still open", "a\n\n\\[\nb\n\n- c\n\nd\n", ["a\n\n"], "\\[\nb\n\n- c\n\nd\n"],
  ["a second opening ends the first", "\\[\na\n\\[ b\n\nc\n", ["\\[\na\n\\[ b\n\n"], "c\n"],
  [
    "a fence ends an open formula",
    "\\[\na\n\n```\nb\n```\nc\n\nd\n",
    ["\\[\na\n\n", "```\nb\n```\n", "c\n\n"],
    "d\n",
  ],
  ["a bracket that is escaped opens no formula", "\\[a\\]\n\nb\n", ["\\[a\\]\n\n"], "b\n"],
  ["a fence ends the paragraph", "text\n~~~\ncode\n", ["text\n"], "~~~\ncode\n"],
])("%s", (_, text, blocks, tail) => {
  expect(open(split([text]))).toEqual({ blocks, tail });
});

test("what fits into one piece is one, as it came", () => {
  expect(piecesOf("a\n\nb\n")).toEqual([{ type: "text", text: "a\n\nb\n" }]);
});

test("long code is cut into pieces that know of each other", () => {
  const line = `${"x".repeat(99)}\n`;
  const text = `before\n\n\`\`\`py title\n${line.repeat(200)}\`\`\`\nafter\n`;
  const pieces = piecesOf(text);
  expect(
    pieces.map((piece) => (piece.type === "code" ? [piece.first, piece.last, piece.language] : 0)),
  ).toEqual([0, [true, false, "py"], [false, false, "py"], [false, true, "py"], 0]);
  for (const piece of pieces) {
    if (piece.type === "code") expect(piece.whole.text).toBe(line.repeat(200));
  }
});

test("code that never ends, in one line, is cut too, and the tail stays short", () => {
  const splitter = split(["```\n", ...("y".repeat(50_000).match(/.{1,1000}/g) ?? [])]);
  expect(splitter.tail.length).toBeLessThanOrEqual(16_000);
  expect(splitter.openCode?.language).toBe("");
  splitter.end();
  expect(splitter.pieces.map((piece) => piece.text).join("")).toBe("y".repeat(50_000));
});

const line = fc.oneof(
  fc.constantFrom(
    "",
    "",
    "text",
    "# h",
    "- a",
    "  - b",
    "1. c",
    "\\[",
    "\\]",
    "```js",
    "```",
    "~~~",
    "> q",
    "| a | b |",
    "    code",
  ),
  fc.constantFrom("word ".repeat(300), "x".repeat(17_000)),
);
const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n"));

/** The text again, but for the fences that pieces of code have lost. */
const joined = (pieces: readonly Piece[]) => pieces.map((piece) => piece.text).join("");

test("pieces do not depend on the deltas, and lose nothing but fences of cut code", () => {
  let cut = 0;
  fc.assert(
    fc.property(
      text,
      fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 }),
      (all, sizes) => {
        const whole = split([all]);
        const deltas: string[] = [];
        for (let at = 0, n = 0; at < all.length; n++) {
          const size = sizes[n % sizes.length] ?? 1;
          deltas.push(all.slice(at, at + size));
          at += size;
        }
        const streamed = split(deltas);
        expect(open(streamed)).toEqual(open(whole));
        whole.end();
        streamed.end();
        expect(streamed.pieces).toEqual(whole.pieces);
        if (whole.pieces.length > 1) cut++;
        const squeeze = (some: string) => some.replace(/[\s`~]|js/g, "");
        expect(squeeze(joined(whole.pieces))).toBe(squeeze(all));
      },
    ),
    { numRuns: 300 },
  );
  expect(cut).toBeGreaterThan(50);
});
