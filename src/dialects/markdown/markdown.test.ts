import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { transcript } from "../../../test/generate/conversations.js";
import { convert } from "../../convert/convert.js";
import { codeSpan, escaped, fenced, quote } from "./blocks.js";
import { withoutTags } from "./html-tags.js";

const piece = fc.constantFrom(
  "```",
  "````",
  "~~~",
  "`",
  "``",
  "\n",
  "\n\n",
  "    ",
  "  ",
  "\t",
  "\n```\n",
  "\n  ```\n",
  "- a\n",
  "| a | b |\n| - | - |\n| ",
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
  "https://a.test/",
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

  test("no text becomes HTML", () => {
    const rendered = { tags: 0, code: 0 };
    fc.assert(
      fc.property(hostile, (text) => {
        const found: string[] = [];
        marked.walkTokens(marked.lexer(quote(text)), ({ type, raw }) => {
          if (type === "html") found.push(raw);
          if (type === "code" || type === "codespan") rendered.code++;
        });
        expect(found, quote(text)).toEqual([]);
        if (/<[a-z/!]/.test(text)) rendered.tags++;
      }),
      { numRuns: 1500 },
    );
    expect(rendered.tags).toBeGreaterThan(500);
    expect(rendered.code).toBeGreaterThan(500);
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
      { numRuns: 60 },
    );
  });
});

test("quotes keep every line and escape tags outside code", () => {
  expect(quote("a\n\n<b>x</b> `<i>` <https://a.test/>\n```\n<b>\n```")).toBe(
    "> a\n>\n> &lt;b>x&lt;/b> `<i>` <https://a.test/>\n> ```\n> <b>\n> ```",
  );
});

test.each([
  ["an escaped tag", "\\<b> \\\\<b>", "&lt;b> \\\\&lt;b>"],
  ["spans with equal runs", "`` a`<b> `` <b>", "`` a`<b> `` &lt;b>"],
  ["runs that differ", "`` <b> `", "`` &lt;b> `"],
  ["a span over two lines", "`a\nb` <b> `c`", "`a\nb` &lt;b> `c`"],
  ["spans of another paragraph", "`a\n\n`<b>`", "`a\n\n`<b>`"],
  ["a span in a table", "`a | <b>`", "`a | &lt;b>`"],
  ["a fence in a list", "1. a\n   ```\n   <b>\n   ```\n<b>", "1. a\n   ```\n   <b>\n   ```\n&lt;b>"],
  ["the end of a list in a fence", "- a\n  ```\n<b>\n```\n<b>", "- a\n  ```\n&lt;b>\n```\n&lt;b>"],
  ["a fence after a tab", "\t```\n<b>\n```\n<b>", "\t```\n&lt;b>\n```\n&lt;b>"],
  ["a closing fence after a tab", "```\n\t```\n<b>", "```\n\t```\n&lt;b>"],
  ["a tag after an address", "https://a.test/<b> \\<b>", "https://a.test/&lt;b> &lt;b>"],
  ["a span in an address", "https://a.test/`<b>`", "https://a.test/`&lt;b>`"],
  ["an address in a span", "`https://a.test/`<b>", "`https://a.test/`&lt;b>"],
])("tags and code: %s", (_, text, expected) => {
  expect(withoutTags(text)).toBe(expected);
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
  ["*a* [b](c) <d>", "\\*a\\* \\[b\\](c) &lt;d\\>"],
  ["a_b & \\c", "a\\_b \\& \\\\c"],
])("the escaped form of %j", (text, expected) => {
  expect(escaped(text)).toBe(expected);
});
