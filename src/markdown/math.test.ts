import { describe, expect, test } from "vitest";
import { closeSpoiler, type Format, formatMarkdown } from "./index.js";
import { readMarkdown } from "./read-markdown.js";

const text = (source: string, format: Format) =>
  formatMarkdown(source, format)
    .map((message) => message.text)
    .join("\n---\n");

const INLINE = "**so** \\(a_1 * b_2 * c\\), $x_i*y_i$ and **\\(||v||\\)**";
const DISPLAY = "so\n\\[\na &= b \\\\\n- c_1 * d_1 *\n\\]\n*then*";

describe("formulas are not Markdown", () => {
  test.each<[Format, string]>([
    [
      "telegram-html",
      "<b>so</b> <code>\\(a_1 * b_2 * c\\)</code>, <code>$x_i*y_i$</code> and <code>\\(||v||\\)</code>",
    ],
    ["discord", "**so** `\\(a_1 * b_2 * c\\)`, `$x_i*y_i$` and **`\\(||v||\\)`**"],
    ["whatsapp", "*so* `\\(a_1 * b_2 * c\\)`, `$x_i*y_i$` and `\\(||v||\\)`"],
    ["plain", "so \\(a_1 * b_2 * c\\), $x_i*y_i$ and \\(||v||\\)"],
  ])("within a line, for %s", (format, expected) => {
    expect(text(INLINE, format)).toBe(expected);
  });

  test.each<[Format, string]>([
    ["telegram-html", "so\n\n<pre>\\[\na &amp;= b \\\\\n- c_1 * d_1 *\n\\]</pre>\n\n<i>then</i>"],
    ["discord", "so\n\n```\n\\[\na &= b \\\\\n- c_1 * d_1 *\n\\]\n```\n\n_then_"],
    ["whatsapp", "so\n\n```\\[\na &= b \\\\\n- c_1 * d_1 *\n\\]```\n\n_then_"],
    ["plain", "so\n\n\\[\na &= b \\\\\n- c_1 * d_1 *\n\\]\n\nthen"],
  ])("on lines of their own, for %s", (format, expected) => {
    expect(text(DISPLAY, format)).toBe(expected);
  });
});

test("a document has formulas with their source, also in lists, quotations and tables", () => {
  expect(readMarkdown("- a\n  $$\n  b_1\n  $$\n\n> \\[c\\]\n\n|x|\n|-|\n|\\(d_1<br>\\)|")).toEqual([
    {
      type: "list",
      loose: false,
      items: [
        {
          blocks: [
            { type: "paragraph", content: [{ type: "text", text: "a" }] },
            { type: "math", source: "$$\nb_1\n$$", text: "\nb_1\n" },
          ],
        },
      ],
    },
    { type: "quote", blocks: [{ type: "math", source: "\\[c\\]", text: "c" }] },
    {
      type: "table",
      header: [{ content: [{ type: "text", text: "x" }], align: "left" }],
      rows: [
        [
          {
            content: [{ type: "math", source: "\\(d_1<br>\\)", text: "d_1<br>", display: false }],
            align: "left",
          },
        ],
      ],
    },
  ]);
});

test("a delimiter without its partner keeps its backslash; escaped links and tasks do not", () => {
  expect(text("\\( a, b \\), c \\] \\(d", "plain")).toBe("\\( a, b \\), c \\] \\(d");
  expect(text("\\[ \\] a \\[b](c) \\[b\\](c) \\*", "plain")).toBe("[ ] a [b](c) [b](c) *");
});

test("a formula in a long text is not split where the text is searched in parts", () => {
  const long = `${"word ".repeat(399)}\\(a_1 * b_1 * c\\) ${"word ".repeat(100)}`;
  expect(text(long, "plain")).toContain("\\(a_1 * b_1 * c\\)");
});

test("a norm does not open a spoiler", () => {
  expect(closeSpoiler("so \\(||v\\| is")).toBe("so \\(||v\\| is||");
  expect(closeSpoiler("so \\(||v\\) is")).toBe("so \\(||v\\) is");
});
