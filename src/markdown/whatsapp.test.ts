import { expect, test } from "vitest";
import { formatMarkdown } from "./index.js";

const cases: [name: string, markdown: string, text: string][] = [
  ["spans", "**b** *i* ~~s~~ `c`", "*b* _i_ ~s~ `c`"],
  ["spans in spans", "**a *b* c**", "*a _b_ c*"],
  ["white space at the ends of spans", "**a `b` c**", "*a* `b` *c*"],
  ["a part of a word", "un**believ**able, **un**believable", "unbelievable, unbelievable"],
  ["beside a sign", "(**a**), **b**!", "(*a*), *b*!"],
  ["a spoiler is shown", "It was ||the **butler**||.", "It was the *butler*."],
  ["several lines", "**a\nb**", "*a*\n*b*"],
  ["a heading", "# a **b**", "*a b*"],
  ["a link", "[a](https://x.y) https://z.z", "a (https://x.y) https://z.z"],
  ["a list", "- a\n  1. b\n- [ ] c", "- a\n  1. b\n- ☐ c"],
  ["a quotation", "> a\n>\n> b\n\nc", "> a\n> \n> b\n\nc"],
  ["code", "```js\na\n  b\n```", "```a\n  b```"],
  ["a fence in code", "````\n```\n````", "````\u200b`\u200b````"],
  ["backticks in code", "`` a`b ``", "a`b"],
];

test.each(cases)("%s", (_, markdown, text) => {
  expect(formatMarkdown(markdown, "whatsapp").map((chunk) => chunk.text)).toEqual([text]);
});
