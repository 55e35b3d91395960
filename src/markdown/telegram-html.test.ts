import { describe, expect, test } from "vitest";
import { formatMarkdown } from "./index.js";

const cases: [name: string, markdown: string, text: string][] = [
  ["a text", "one two", "one two"],
  ["what HTML would take for its own", 'a < b && c > d "e"', 'a &lt; b &amp;&amp; c &gt; d "e"'],
  ["HTML", "<b>x</b> <script>y</script>", "&lt;b&gt;x&lt;/b&gt; &lt;script&gt;y&lt;/script&gt;"],
  ["a block of HTML with Markdown in it", "<div>\n**x**\n</div>", "&lt;div&gt;\n<b>x</b>\n&lt;/div&gt;"],
  ["references", "&lt;b&gt; &amp;amp; &#x41; &nosuch;", "&lt;b&gt; &amp;amp; A &amp;nosuch;"],
  ["spans", "**b** *i* ~~s~~ `c`", "<b>b</b> <i>i</i> <s>s</s> <code>c</code>"],
  ["spans in spans", "**a *b* ~~c~~**", "<b>a <i>b</i> <s>c</s></b>"],
  ["bold in bold", "# a **b** c", "<b>a b c</b>"],
  ["about is not struck out", "~5 and ~6~", "~5 and ~6~"],
  ["code holds nothing and is within nothing", "**a `b` c**", "<b>a </b><code>b</code><b> c</b>"],
  ["a spoiler", "It was ||the **butler**||.", "It was <tg-spoiler>the <b>butler</b></tg-spoiler>."],
  ["code in a spoiler is hidden too", "||a `b` c||", "<tg-spoiler>a b c</tg-spoiler>"],
  ["a link in a spoiler", "||[a](https://x.y)||", '<tg-spoiler><a href="https://x.y">a</a></tg-spoiler>'],
  ["signs of a spoiler that are meant", "\\|\\|a|| ||||", "||a|| ||||"],
  ["code in a link", "[`a`](https://x.y)", '<a href="https://x.y">a</a>'],
  ["a link", '[a](https://x.y/?b=1&c="2")', '<a href="https://x.y/?b=1&amp;c=&quot;2&quot;">a</a>'],
  [
    "references in addresses",
    "[a](https://x.y/?b&amp;c) https://x.y/?d&amp;e",
    '<a href="https://x.y/?b&amp;c">a</a> https://x.y/?d&amp;amp;e',
  ],
  ["a link to a person", "[a](tg://user?id=7)", '<a href="tg://user?id=7">a</a>'],
  ["a link that runs something", "[a](javascript:b)", "a (javascript:b)"],
  ["a link to a letter", "[write](mailto:a@b.c)", "write (a@b.c)"],
  ["a link to this machine", "[a](http://localhost:1/b)", "a (http://localhost:1/b)"],
  ["addresses", "https://x.y/a_b_c <a@b.c>", "https://x.y/a_b_c a@b.c"],
  ["a link without a text", "[](https://x.y)", "https://x.y"],
  ["a link by name", "[a][1]\n\n[1]: https://x.y", '<a href="https://x.y">a</a>'],
  ["a name that nothing refers to", "[Note]: careful", "[Note]: careful"],
  ["an address that nothing refers to", '[1]: https://x.y/a_b "c"', '[1]: https://x.y/a_b "c"'],
  ["an image", "![a cat](https://x.y/cat.png)", '<a href="https://x.y/cat.png">a cat</a>'],
  ["an image in a link", "[![a](https://b.c)](https://x.y)", '<a href="https://x.y">a (https://b.c)</a>'],
  ["what follows a quotation", "> a\nb", "<blockquote>a</blockquote>\n\nb"],
  ["what the lexer itself stumbles over", "- @\n\t>*\n\\", "• @\n<blockquote>◦ </blockquote>\n  \\"],
  ["lines", "a\nb  \nc", "a\nb\nc"],
  ["paragraphs", "a\n\n\n\nb", "a\n\nb"],
  ["headings", "# a\n\n#### b\nc", "<b>a</b>\n\n<b>b</b>\n\nc"],
  ["a list", "- a\n- b\n  - c\n    - d", "• a\n• b\n  ◦ c\n    ▪ d"],
  ["a list of long items", "- a\n\n  b\n\n- c", "• a\n\n  b\n\n• c"],
  ["numbers", "3. a\n4. b\n   - c", "3. a\n4. b\n  ◦ c"],
  ["tasks", "- [ ] a\n- [x] b", "☐ a\n☑ b"],
  ["a list behind a text", "a\n- b", "a\n\n• b"],
  ["a quotation", "> a\n>\n> **b**\n\nc", "<blockquote>a\n\n<b>b</b></blockquote>\n\nc"],
  ["quotations in quotations", "> a\n> > b", "<blockquote>a\n\nb</blockquote>"],
  ["code", "```\na < b\n\tc\n```", "<pre>a &lt; b\n    c</pre>"],
  ["code in a language", "```c++ x=1\na\n```", '<pre><code class="language-c++">a</code></pre>'],
  ["code in a language nobody has", '```"><b>\na\n```', "<pre>a</pre>"],
  ["code by indentation", "    a\n      b", "<pre>a\n  b</pre>"],
  ["code in a list", "- a\n  ```js\n  b\n  ```", '• a\n<pre><code class="language-js">b</code></pre>'],
  ["code in a quotation", "> ```\n> a\n> ```", "<blockquote><pre>a</pre></blockquote>"],
  ["a rule", "a\n\n---\n\nb", "a\n\n──────────\n\nb"],
  ["a table", "|a|b|\n|-|-:|\n|1|22|\n|333||", "<pre>a   │  b\n────┼───\n1   │ 22\n333 │</pre>"],
  ["a table with more cells than columns", "|a|\n|-|\n|b|c|", "|a|\n|-|\n|b|c|"],
  ["a pipe in a table", "|a|\n|-|\n|b\\|c|", "<pre>a\n───\nb|c</pre>"],
  ["breaks in a table", "|a|\n|-|\n|b<br>c `<br>`|", "<pre>a\n────────\nb c &lt;br&gt;</pre>"],
  ["a table with a link", "|a|\n|-|\n|[b](https://x.y)|", "<pre>a\n───────────────\nb (https://x.y)</pre>"],
  [
    "a table that is too wide",
    `|a|b|\n|-|-|\n|${"c".repeat(60)}|[d](https://x.y)|\n|**e**|f|`,
    `<b>a</b>: ${"c".repeat(60)}\n<b>b</b>: <a href="https://x.y">d</a>\n\n<b>a</b>: <b>e</b>\n<b>b</b>: f`,
  ],
];

test.each(cases)("%s", (_, markdown, text) => {
  expect(formatMarkdown(markdown, "telegram-html").map((chunk) => chunk.text)).toEqual([text]);
});

describe("an answer that is not finished", () => {
  test.each([
    ["```js\nlet a", '<pre><code class="language-js">let a</code></pre>'],
    ["a\n\n```", "a"],
    ["- a\n- ", "• a\n•"],
    ["> a\n> ```\n> b", "<blockquote>a\n\n<pre>b</pre></blockquote>"],
    ["**a", "**a"],
    ["[a](https://x", "[a](https://x"],
    ["|a|\n|-|\n|b", "<pre>a\n─\nb</pre>"],
  ])("%j", (markdown, text) => {
    expect(formatMarkdown(markdown, "telegram-html")[0]?.text).toBe(text);
  });
});

test.each(["", " \n\t\n ", "```\n\n```", "\u200b"])("nothing to see in %j", (markdown) => {
  expect(formatMarkdown(markdown, "telegram-html")).toEqual([]);
});

test("without marks a link is followed by its address", () => {
  expect(formatMarkdown("**a** [b `c`](https://x.y) <d>", "telegram-html")).toEqual([
    { text: '<b>a</b> <a href="https://x.y">b c</a> &lt;d&gt;', plain: "a b c (https://x.y) <d>" },
  ]);
});
