import { expect, test } from "vitest";
import { nestingProblems, parseTelegramHtml } from "./telegram-html.js";

test.each([
  ["a &lt;b&gt; &amp;amp; &quot; &#65;&#x42; &", { text: 'a <b> &amp; " AB &', entities: [] }],
  ["&nbsp; & x &copy", { text: "&nbsp; & x &copy", entities: [] }],
  [
    "<b>a<i>b</i></b>",
    [
      ["bold", 0, 2],
      ["italic", 1, 1],
    ],
  ],
  ["😀<STRONG>é😀</strong>", [["bold", 2, 3]]],
  [
    "<s>a</s><strike>b</strike><del>c</del>",
    [
      ["strikethrough", 0, 1],
      ["strikethrough", 1, 1],
      ["strikethrough", 2, 1],
    ],
  ],
  [
    '<tg-spoiler>a</tg-spoiler><span class="tg-spoiler">b</span>',
    [
      ["spoiler", 0, 1],
      ["spoiler", 1, 1],
    ],
  ],
  ["<pre>a</pre>", [["pre", 0, 1]]],
  ["<blockquote expandable>a</blockquote>", [["blockquote", 0, 1]]],
  ["<b></b>a", []],
])("%s is read", (html, expected) => {
  const read = parseTelegramHtml(html);
  if (!Array.isArray(expected)) expect(read).toEqual(expected);
  else if ("error" in read) expect(read.error).toBe("");
  else expect(read.entities.map(({ type, offset, length }) => [type, offset, length])).toEqual(expected);
});

test.each([
  ['<pre><code class="language-js">a</code></pre>', [{ type: "pre", offset: 0, length: 1, language: "js" }]],
  [
    '<a href="http://x.y/?a=1&amp;b">z</a>',
    [{ type: "text_link", offset: 0, length: 1, url: "http://x.y/?a=1&b" }],
  ],
  ['<a href="HTTPS://X.y">z</a>', [{ type: "text_link", offset: 0, length: 1, url: "https://x.y/" }]],
  ['<code class="language-js">a</code>', [{ type: "code", offset: 0, length: 1 }]],
  ["<a>x.y</a>", [{ type: "text_link", offset: 0, length: 3, url: "http://x.y/" }]],
  ['<a href="tg://user?id=7">z</a>', [{ type: "text_mention", offset: 0, length: 1, user: { id: 7 } }]],
  ['<a href="http://localhost:3000/">z</a>', []],
  [
    '<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>',
    [{ type: "custom_emoji", offset: 0, length: 2, custom_emoji_id: "5368324170671202286" }],
  ],
])("%s has these entities", (html, entities) => {
  expect(parseTelegramHtml(html)).toMatchObject({ entities });
});

test.each([
  ["é<b>a", `Can't find end tag corresponding to start tag "b"`],
  ["é<", "Unclosed start tag at byte offset 2"],
  ["<b", "Unclosed start tag at byte offset 0"],
  ["a < b", 'Unsupported start tag "" at byte offset 2'],
  ["<h1>a</h1>", 'Unsupported start tag "h1" at byte offset 0'],
  ["a</b>", "Unexpected end tag at byte offset 1"],
  ["<b>a</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ["<b>a</b", "Unclosed end tag at byte offset 4"],
  ["<a =x>b</a>", 'Empty attribute name in the tag "a" at byte offset 0'],
  ["<a href=http://x>b</a>", "Unexpected end of name token at byte offset 8"],
  ['<a href="x', "Unclosed start tag at byte offset 0"],
  ["<span>a</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  ['<tg-emoji emoji-id="x">a</tg-emoji>', "Invalid custom emoji identifier specified"],
])("%s is refused", (html, words) => {
  expect(parseTelegramHtml(html)).toEqual({ error: `Bad Request: can't parse entities: ${words}` });
});

test.each([
  ["<b>a<code>b</code></b>", ["code in bold at 1"]],
  ["<code>a<b>b</b></code>", ["bold in code at 1"]],
  ["<blockquote>a<blockquote>b</blockquote></blockquote>", ["blockquote in blockquote at 1"]],
  ['<a href="x.y">a<code>b</code></a>', ["code in text_link at 1"]],
  ['<blockquote><b>a</b><code>b</code><a href="x.y">c</a></blockquote>', []],
  ['<b><a href="x.y">c</a></b>', []],
  ["<i>a</i>".repeat(101), ["101 entities"]],
])("nesting in %s", (html, problems) => {
  const read = parseTelegramHtml(html);
  expect("error" in read ? read.error : nestingProblems(read.entities)).toEqual(problems);
});
