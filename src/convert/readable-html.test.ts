import { expect, test } from "vitest";
import { load } from "./detect.js";
import { readableHtml, readableStyle } from "./readable-html.js";

/** The text of a file that arrives five bytes at a time. */
async function readable(dialect: string, ...lines: string[]): Promise<string> {
  const file = Buffer.from(lines.join("\n"));
  const open = async function* () {
    for (let at = 0; at < file.length; at += 5) yield file.subarray(at, at + 5);
  };
  let text = "";
  for await (const piece of readableHtml(open, { from: await load(dialect) })) text += piece;
  return text.replace(`<style>${await readableStyle()}</style>`, "");
}

const said = (content: string) => JSON.stringify({ role: "user", content, timestamp: 1740000000000 });

const article = (text: string) => `<article class="user">
<header><h2>User</h2><time datetime="2025-02-19T21:20:00.000Z">2025-02-19 21:20:00 UTC</time></header>
<div class="text">${text}</div>
</article>
`;

test("the messages, without the page around them", async () => {
  expect(await readable("openclaw", said("</main> </noscript> ends"), said("again"))).toBe(`
<main>
<h1>Conversation</h1>
${article("&lt;/main&gt; &lt;/noscript&gt; ends")}${article("again")}</main>
`);
});

test("a damaged line in a file with branches is left out, and named at the end", async () => {
  expect(await readable("openclaw", said("one"), '{"role":"<b>', said("two"))).toBe(`
<main>
<h1>Conversation</h1>
${article("one")}${article("two")}<p class="note bad">Not all of this transcript could be read: line 2: expected the rest of the string, found the end of the text</p>
</main>
`);
});

test("nothing readable is said, too", async () => {
  expect(await readable("cline", "Dear diary")).toMatch(
    /<p class="empty">No messages\.<\/p>\n<p class="note bad">Not all of this transcript could be read: /,
  );
});
