import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { transcript } from "../../../test/generate/conversations.js";
import { convert } from "../../convert/convert.js";
import { codeSpan, escaped, fenced, quote } from "./blocks.js";

const piece = fc.constantFrom(
  "```",
  "````",
  "~~~",
  "`",
  "``",
  "\n",
  "\n\n",
  "    ",
  "> ",
  "- ",
  "1. ",
  "# ",
  "===",
  "---",
  "<!--",
  "<div>",
  "</blockquote>",
  "<details>",
  "<script>",
  "[a]: x",
  "\\",
  "a",
  " ",
  "<https://a.test>",
  "|",
  "*",
);
const hostile = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(""));

/** The types of a document's top-level blocks. */
function blocksOf(markdown: string): string[] {
  return marked.lexer(markdown).flatMap(({ type }) => (type === "space" ? [] : [type]));
}

describe("content never changes the structure of the page", () => {
  test("a quote is one block, whatever is in it", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(blocksOf(`${quote(text)}\n\n## Next\n`), quote(text)).toEqual(["blockquote", "heading"]);
      }),
      { numRuns: 500 },
    );
  });

  test("a fence contains its text unchanged", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [code, next] = marked
          .lexer(`${fenced(text)}\n\n## Next\n`)
          .filter(({ type }) => type !== "space");
        expect(code).toMatchObject({ type: "code", text });
        expect(next).toMatchObject({ type: "heading" });
      }),
      { numRuns: 500 },
    );
  });

  test("a message is one section", async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (content) => {
        const { output } = await convert(transcript([{ role: "user", content, timestamp: 1000 }]), {
          from: "openclaw",
          to: "markdown",
        });
        expect(blocksOf(output)).toEqual(["heading", "paragraph", "blockquote"]);
      }),
      { numRuns: 200 },
    );
  });
});

test("quotes keep every line and escape tags outside code", () => {
  expect(quote("a\n\n<b>x</b> `<i>` <https://a.test/>\n```\n<b>\n```")).toBe(
    "> a\n>\n> \\<b>x\\</b> `<i>` <https://a.test/>\n> ```\n> <b>\n> ```",
  );
});

test.each([
  ["read", "`read`"],
  ["a`b", "``a`b``"],
  ["`a`", "`` `a` ``"],
  ["", '`""`'],
  [" ", '`" "`'],
])("the code span of %j", (text, expected) => {
  expect(codeSpan(text)).toBe(expected);
});

test.each([
  ["*a* [b](c) <d>", "\\*a\\* \\[b\\](c) \\<d\\>"],
  ["a_b & \\c", "a\\_b \\& \\\\c"],
])("the escaped form of %j", (text, expected) => {
  expect(escaped(text)).toBe(expected);
});
