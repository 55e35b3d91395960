import fc from "fast-check";
import { expect, test } from "vitest";
import { conversation, transcript } from "../../../test/generate/conversations.js";
import { convert } from "../../convert/convert.js";

/** Every tag and attribute that a page may contain. */
const TAGS = new Set(
  "html head meta title style body main header h1 h2 p span time article div b code strong a figure figcaption img audio".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "lang charset http-equiv content name class datetime href rel tabindex role aria-label src alt controls download".split(
    " ",
  ),
);

interface Tag {
  name: string;
  attributes: Map<string, string>;
}

/** The tags of a page, as a browser reads them; the text of the style sheet is left out. */
function tagsOf(page: string): Tag[] {
  const body = page.replace(/<style>[\s\S]*?<\/style>/, "<style></style>").replace("<!doctype html>", "");
  return [...body.matchAll(/<\/?([^\s>/]*)([^>]*)>/g)].map(([, name = "", rest = ""]) => ({
    name,
    attributes: new Map(
      [...rest.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [key, value]),
    ),
  }));
}

/** The visible text of a page's messages. */
function textOf(page: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return page
    .slice(page.indexOf("<main>"))
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? "");
}

async function pageOf(content: string): Promise<string> {
  const { output } = await convert(transcript([{ role: "user", content, sender: content, timestamp: 1 }]), {
    from: "openclaw",
    to: "html",
  });
  return output;
}

const hostile = fc
  .array(
    fc.constantFrom(
      "<script>",
      "</script>",
      "<!--",
      "-->",
      "<img src=x onerror=alert(1)>",
      "</div></article></main>",
      "&lt;",
      "&#60;",
      '"',
      "'",
      "`",
      "**",
      "```\n",
      "~~~\n",
      "# ",
      "\n",
      " ",
      'https://a.test/"><b>',
      "javascript:alert(1)",
      "<style>",
      "]]>",
      "<svg onload=x>",
      "a",
      "https://",
      "</title>",
      "\\",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("a stranger's text never becomes HTML, and stays as it was typed", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const page = await pageOf(text);
      for (const { name, attributes } of tagsOf(page)) {
        expect(TAGS, page).toContain(name);
        for (const [key, value] of attributes) {
          expect(ATTRIBUTES, page).toContain(key);
          if (key === "href") expect(value).toMatch(/^https?:\/\//);
        }
      }
      expect(textOf(page)).toContain(text);
    }),
    { numRuns: 150 },
  );
});

test("a page loads nothing and runs nothing", async () => {
  await fc.assert(
    fc.asyncProperty(conversation, async (messages) => {
      const { output } = await convert(transcript(messages), { from: "openclaw", to: "html" });
      expect(output).toContain(
        `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:">`,
      );
      for (const { name, attributes } of tagsOf(output)) {
        expect(TAGS).toContain(name);
        expect([...attributes.keys()].filter((key) => key.startsWith("on"))).toEqual([]);
        if (attributes.has("src")) expect(attributes.get("src")).toMatch(/^data:(image|audio)\//);
      }
    }),
    { numRuns: 40 },
  );
});

test("the title is the session's", async () => {
  const { output } = await convert(
    transcript([{ role: "session", title: "Ferns & <b>cacti</b>", timestamp: 1_772_359_200_000 }]),
    { from: "openclaw", to: "html" },
  );
  expect(output).toContain("<title>Ferns &amp; &lt;b&gt;cacti&lt;/b&gt;</title>");
  expect(output).toContain("<h1>Ferns &amp; &lt;b&gt;cacti&lt;/b&gt;</h1>");
  expect(output).toContain('<time datetime="2026-03-01T10:00:00.000Z">2026-03-01 10:00:00 UTC</time>');
});

test("an empty conversation is a page that states it", async () => {
  const { output } = await convert("", { from: "openclaw", to: "html" });
  expect(textOf(output).trim()).toBe("Conversation\nNo messages.");
  expect(output.endsWith("</html>\n")).toBe(true);
});

test("a formula stays as it was written", async () => {
  const page = await pageOf("**so** \\(a**b**c\\)\n\\[\n# d **e**\n\\] **f**\n**g**");
  expect(page).toContain(
    '<div class="text"><strong><span class="mark">**</span>so<span class="mark">**</span></strong> ' +
      '<span class="math">\\(a**b**c\\)</span>\n\\[\n# d **e**\n\\] ' +
      '<strong><span class="mark">**</span>f<span class="mark">**</span></strong>\n' +
      '<strong><span class="mark">**</span>g<span class="mark">**</span></strong></div>',
  );
});
