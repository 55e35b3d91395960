import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "./markdown.js";

const html = (text: string, breaks = false) => renderToStaticMarkup(<Markdown text={text} breaks={breaks} />);

test.each([
  ["a *b* **c** ~~d~~ `e`", '<p dir="auto">a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>'],
  ["# T\n\ntext", '<h3 class="md-h1" dir="auto">T</h3><p dir="auto">text</p>'],
  ["3. a\n4. b", '<ol start="3"><li dir="auto">a</li><li dir="auto">b</li></ol>'],
  ["> q", '<blockquote><p dir="auto">q</p></blockquote>'],
  ["a\n\n---\n\nb", '<p dir="auto">a</p><hr/><p dir="auto">b</p>'],
  ["&lt;b&gt; &copy; &#8212; &nosuch; \\*", '<p dir="auto">&lt;b&gt; © — &amp;nosuch; *</p>'],
  ["`&amp;`", '<p dir="auto"><code>&amp;amp;</code></p>'],
])("%j", (text, expected) => {
  expect(html(text)).toBe(expected);
});

test("footnotes are marked, and shown where they are written", () => {
  expect(html("Water is wet.[^1] So is `[^1]`.\n\n[^1]: *Says* who?\n[^b]: Another.")).toBe(
    '<p dir="auto">Water is wet.<sup title="*Says* who?">1</sup> So is <code>[^1]</code>.</p>' +
      '<p class="md-footnote" dir="auto"><sup>1</sup> <em>Says</em> who?</p>' +
      '<p class="md-footnote" dir="auto"><sup>b</sup> Another.</p>',
  );
});

test.each([
  ["a mark without a footnote", "Match [^a-z] here", '<p dir="auto">Match [^a-z] here</p>'],
  [
    "a link whose text looks like one",
    "[^1](https://x.example)\n\n[^1]: note",
    '<p dir="auto"><a href="https://x.example/" target="_blank" rel="noopener noreferrer" title="https://x.example/">^1</a></p>' +
      '<p class="md-footnote" dir="auto"><sup>1</sup> note</p>',
  ],
])("%s is left as it is", (_, text, expected) => {
  expect(html(text)).toBe(expected);
});

test.each([
  [
    "over several blocks",
    "<details>\n<summary>More *here*</summary>\n\n- a\n\n<b>x</b>\n\n</details>\n\nafter",
    '<details class="md-details"><summary>More <em>here</em></summary><ul><li dir="auto">a</li></ul>' +
      '<p dir="auto">&lt;b&gt;x&lt;/b&gt;</p></details><p dir="auto">after</p>',
  ],
  [
    "in one block",
    "<details open><summary>More</summary>\nall of it\n</details>",
    '<details class="md-details" open=""><summary>More</summary><p dir="auto">all of it</p></details>',
  ],
  [
    "in another",
    "<details><summary>A</summary>\n\n<details><summary>B</summary>\n\nb\n\n</details>\n\n</details>",
    '<details class="md-details"><summary>A</summary><details class="md-details"><summary>B</summary><p dir="auto">b</p></details></details>',
  ],
  [
    "without an end",
    "<details><summary>A</summary>\n\ntext",
    '<p class="md-raw">&lt;details&gt;&lt;summary&gt;A&lt;/summary&gt;</p><p dir="auto">text</p>',
  ],
  [
    "with attributes",
    "<details ontoggle=alert(1)><summary>A</summary>\n\ntext\n\n</details>",
    '<p class="md-raw">&lt;details ontoggle=alert(1)&gt;&lt;summary&gt;A&lt;/summary&gt;</p><p dir="auto">text</p><p class="md-raw">&lt;/details&gt;</p>',
  ],
])("a fold %s", (_, text, expected) => {
  expect(html(text)).toBe(expected);
});

test("task lists have boxes that say what they are", () => {
  expect(html("- [x] done\n- [ ] open")).toBe(
    '<ul><li class="md-task" dir="auto"><input type="checkbox" disabled="" aria-label="done" checked=""/>done</li>' +
      '<li class="md-task" dir="auto"><input type="checkbox" disabled="" aria-label="to do"/>open</li></ul>',
  );
});

test("tables keep their alignment", () => {
  expect(html("| a | b |\n| - | -: |\n| 1 | **2** |")).toBe(
    '<section class="md-table" aria-label="Table" tabindex="0"><table><thead><tr><th dir="auto">a</th><th data-align="right" dir="auto">b</th></tr></thead>' +
      '<tbody><tr><td dir="auto">1</td><td data-align="right" dir="auto"><strong>2</strong></td></tr></tbody></table></section>',
  );
});

test("a line break is one where it should be", () => {
  expect(html("a\nb")).toBe('<p dir="auto">a\nb</p>');
  expect(html("a\nb", true)).toBe('<p dir="auto">a<br/>b</p>');
});

test("code has its language and a button; nothing hides in it", () => {
  expect(html("```ts title\na < b\u202e\n```")).toBe(
    '<figure class="code" data-first="true" data-last="true"><figcaption><span class="code-language">ts</span>' +
      '<button type="button" class="button-quiet copy-button" aria-live="polite">Copy</button></figcaption>' +
      '<pre tabindex="0"><code>a &lt; b⟨U+202E⟩</code></pre></figure>',
  );
});

test.each([
  ["<script>alert(1)</script>", '<p class="md-raw">&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ["a <b onclick=x>b</b>", '<p dir="auto">a &lt;b onclick=x&gt;b&lt;/b&gt;</p>'],
  ["[a](javascript:alert(1))", '<p dir="auto"><span class="md-unsafe">[a](javascript:alert(1))</span></p>'],
  [
    "[a](https://x.example)",
    '<p dir="auto"><a href="https://x.example/" target="_blank" rel="noopener noreferrer" title="https://x.example/">a</a></p>',
  ],
  [
    "![pic](https://x.example/p.png)",
    '<p dir="auto"><a href="https://x.example/p.png" target="_blank" rel="noopener noreferrer" title="https://x.example/p.png"><span class="md-image-link">Image: pic</span></a></p>',
  ],
  [
    "![pic](data:image/png;base64,AA==)",
    '<p dir="auto"><img class="md-image" src="data:image/png;base64,AA==" alt="pic"/></p>',
  ],
])("untrusted: %j", (text, expected) => {
  expect(html(text)).toBe(expected);
});

test.each([
  ["\\(a_1 * b_1 * c\\)", '<p dir="auto"><span class="md-math">\\(a_1 * b_1 * c\\)</span></p>'],
  ["**a \\(x*y\\) b**", '<p dir="auto"><strong>a <span class="md-math">\\(x*y\\)</span> b</strong></p>'],
  ["so $x_1$ costs $5 a piece", '<p dir="auto">so <span class="md-math">$x_1$</span> costs $5 a piece</p>'],
  [
    "so:\n\\[\na \\\\\n- b_1\n\\]\n*c*",
    '<p dir="auto">so:</p><span class="md-math" data-display="true">\\[\na \\\\\n- b_1\n\\]</span><p dir="auto"><em>c</em></p>',
  ],
  ["`\\(x\\)`", '<p dir="auto"><code>\\(x\\)</code></p>'],
  ["\\[ \\] and \\[a\\](b)", '<p dir="auto">[ ] and [a](b)</p>'],
])("a formula stays as it was written: %j", (text, expected) => {
  expect(html(text)).toBe(expected);
});

test("what is nested without end is shown as it was written", () => {
  const text = `${">".repeat(5_000)} deep`;
  expect(html(text)).toContain("deep");
});
