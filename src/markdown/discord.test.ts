import { expect, test } from "vitest";
import { formatMarkdown } from "./index.js";

const cases: [name: string, markdown: string, text: string][] = [
  ["spans", "**b** *i* ~~s~~ `c` ***d***", "**b** _i_ ~~s~~ `c` _**d**_"],
  ["spans in spans", "**a *b* `c`**", "**a _b_ `c`**"],
  ["spans that touch", "**a**~~b~~", "**a**~~b~~"],
  ["white space at the ends of spans", "**a `b` c**d", "**a `b` c**d"],
  ["italics in a word", "un*frigging*real", "unfriggingreal"],
  [
    "signs that are meant",
    "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ \\|\\|e\\|\\| \\[f](g)",
    "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ \\|\\|e\\|\\| \\[f\\](g)",
  ],
  ["a spoiler", "It was ||the **butler** in `code`||.", "It was ||the **butler** in `code`||."],
  ["two spoilers", "||a|| and ||b||||c||", "||a|| and ||bc||"],
  ["or is no spoiler", "a || b || c, ||d", "a \\|\\| b \\|\\| c, \\|\\|d"],
  ["or in code", "`a ||b|| c`", "`a ||b|| c`"],
  ["a spoiler with an address", "||https://x.y/a|| b", "||https://x.y/a|| b"],
  ["a spoiler in a quotation", "> ||a\n> b||", "> ||a\n> b||"],
  ["a spoiler in a table", "|a|b|\n|-|-|\n|\\|\\|c\\|\\||d|", "**a**: ||c||\n**b**: d"],
  ["snake_case", "a_b_c 2 * 3", "a\\_b\\_c 2 \\* 3"],
  ["what would begin a line", "1986\\. a\n\\# b\n\\- c\n\\> d", "1986\\. a\n\\# b\n\\- c\n\\> d"],
  [
    "what would call somebody",
    "@everyone <@12> <@&3> @here a@b",
    "@\u200beveryone \\<@\u200b12> \\<@\u200b&3> @\u200bhere a@b",
  ],
  ["a call in code", "`@everyone`", "`@everyone`"],
  ["backticks in code", "`` a`b ``", "`` a`b ``"],
  ["two backticks in code", "``` a``b ```", "`` a`\u200b`b ``"],
  ["a fence in code", "````md\n```js\nx\n```\n````", "```md\n`\u200b`\u200b`js\nx\n`\u200b`\u200b`\n```"],
  ["a link", "[a_b](https://x.y/c_(d))", "[a\\_b](https://x.y/c_%28d%29)"],
  ["a link whose text is an address", "[https://a.b](https://x.y)", "https://a.b (https://x.y)"],
  ["a link nobody can press", "[a](tg://user?id=7)", "a (tg://user?id=7)"],
  ["an address", "see https://x.y/a_b_c.", "see https://x.y/a_b_c."],
  ["headings", "# a\n## b\n### c\n#### d", "# a\n\n## b\n\n### c\n\n**d**"],
  ["a heading in a list", "- # a", "- **a**"],
  ["a list", "- a\n  - b\n    c\n- [x] d\n\n7. e", "- a\n  - b\n    c\n- ☑ d\n\n7. e"],
  ["a quotation", "> a\n> b\n>\n> - c\n\nd", "> a\n> b\n> \n> - c\n\nd"],
  ["code", "```js\na\n\nb\n```", "```js\na\n\nb\n```"],
  ["code in a quotation", "> ```js\n> a\n> b\n> ```", "> ```js\n> a\n> b\n> ```"],
  ["a table", "|a|b|\n|-|-|\n|1|2|", "```\na │ b\n──┼──\n1 │ 2\n```"],
];

test.each(cases)("%s", (_, markdown, text) => {
  expect(formatMarkdown(markdown, "discord").map((chunk) => chunk.text)).toEqual([text]);
});
