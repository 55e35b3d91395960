import { describe, expect, test } from "vitest";
import type { Atom } from "./atoms.js";
import { chunk } from "./chunk.js";
import { type Format, formatMarkdown } from "./index.js";

function texts(markdown: string, format: Format, units: number, first?: number): string[] {
  const limits = first === undefined ? { units } : { units, first };
  return formatMarkdown(markdown, format, limits).map(({ text }) => text);
}

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");

describe("where a message ends", () => {
  test("at the end of a paragraph, if it is half full then", () => {
    const markdown = `${words(8)}\n\n${words(6)}`;
    expect(texts(markdown, "plain", 64)).toEqual([words(8), words(6)]);
  });

  test("not after a few words", () => {
    const markdown = `a.\n\n${words(7)}\n${words(7)}`;
    expect(texts(markdown, "plain", 64)).toEqual([`a.\n\n${words(7)}`, words(7)]);
  });

  test("at the end of a line, a sentence, a word", () => {
    expect(texts(`${words(9)}\n${words(5)}`, "plain", 64)).toEqual([words(9), words(5)]);
    expect(texts(`${words(9)}. ${words(5)}`, "plain", 64)).toEqual([`${words(9)}.`, words(5)]);
    expect(texts(words(14), "plain", 64)).toEqual([words(13), "word"]);
  });

  test("exactly at the limit", () => {
    expect(texts("x".repeat(64), "plain", 64)).toEqual(["x".repeat(64)]);
    expect(texts(`${"x".repeat(64)} y`, "plain", 64)).toEqual(["x".repeat(64), "y"]);
    expect(texts(`${"x".repeat(64)}\n\ny`, "plain", 64)).toEqual(["x".repeat(64), "y"]);
  });

  test("before an address that fits into the next one", () => {
    const url = `https://x.y/${"z".repeat(40)}`;
    expect(texts(`see there ${words(3)} ${url}`, "plain", 64)).toEqual([`see there ${words(3)}`, url]);
  });

  test("within a word only if it is too long for a message", () => {
    expect(texts("x".repeat(150), "plain", 64)).toEqual(["x".repeat(64), "x".repeat(64), "x".repeat(22)]);
  });

  test("not behind a heading or a bullet", () => {
    expect(texts(`${words(9)}\n\n# title\n\n${words(5)}`, "plain", 64)).toEqual([
      words(9),
      `title\n\n${words(5)}`,
    ]);
    expect(texts(`${words(9)}\n\n- ${"x".repeat(30)}`, "plain", 64)).toEqual([
      words(9),
      `- ${"x".repeat(30)}`,
    ]);
  });

  test("in a script without spaces behind a clause", () => {
    const clause = `${"文".repeat(24)}。`;
    expect(texts(clause.repeat(3), "plain", 64)).toEqual([clause.repeat(2), clause]);
  });

  test("never within a character that is made of several", () => {
    const family = "👩‍👩‍👧";
    expect(texts(family.repeat(10), "plain", 64)).toEqual([family.repeat(8), family.repeat(2)]);
    expect(texts("e\u0301".repeat(40), "plain", 64)).toEqual(["e\u0301".repeat(32), "e\u0301".repeat(8)]);
    expect(texts("😀".repeat(40), "discord", 64)).toEqual(["😀".repeat(32), "😀".repeat(8)]);
  });

  test("the first one can be shorter", () => {
    expect(texts(words(30), "plain", 100, 64)).toEqual([words(13), words(17)]);
  });
});

describe("what is open is closed and opened again", () => {
  const line = "let abc = 12345;";
  const code = (count: number) => Array.from({ length: count }, () => line).join("\n");

  test("code with its language", () => {
    expect(texts(`\`\`\`js\n${code(5)}\n\`\`\``, "discord", 64)).toEqual([
      `\`\`\`js\n${code(3)}\n\`\`\``,
      `\`\`\`js\n${code(2)}\n\`\`\``,
    ]);
    expect(texts(`\`\`\`js\n${code(5)}\n\`\`\``, "telegram-html", 64)).toEqual([
      `<pre><code class="language-js">${code(3)}</code></pre>`,
      `<pre><code class="language-js">${code(2)}</code></pre>`,
    ]);
  });

  test("what code moves to the right stays there", () => {
    const indented = Array.from({ length: 4 }, () => `    ${line}`).join("\n");
    expect(texts(`\`\`\`\nif\n${indented}\n\`\`\``, "telegram-html", 64)).toEqual([
      `<pre>if\n    ${line}\n    ${line}</pre>`,
      `<pre>    ${line}\n    ${line}</pre>`,
    ]);
  });

  test("code in a quotation", () => {
    const quoted = (count: number) => Array.from({ length: count }, () => `> ${line}`).join("\n");
    expect(texts(`> \`\`\`js\n${quoted(3)}\n> \`\`\``, "discord", 64)).toEqual([
      `> \`\`\`js\n${quoted(2)}\n> \`\`\``,
      `> \`\`\`js\n${quoted(1)}\n> \`\`\``,
    ]);
  });

  test("bold text, quotations and links", () => {
    expect(texts(`**${words(20)}**`, "whatsapp", 64)).toEqual([`*${words(12)}*`, `*${words(8)}*`]);
    expect(texts(`> ${words(20)}`, "discord", 64)).toEqual([`> ${words(12)}`, `> ${words(8)}`]);
    expect(texts(`[${words(20)}](https://x.y)`, "telegram-html", 64)).toEqual([
      `<a href="https://x.y">${words(13)}</a>`,
      `<a href="https://x.y">${words(7)}</a>`,
    ]);
  });

  test("escapes stay whole", () => {
    expect(texts("<".repeat(100), "telegram-html", 64)).toEqual(["&lt;".repeat(64), "&lt;".repeat(36)]);
    expect(texts("[ ".repeat(40).trim(), "discord", 64)).toEqual([
      Array.from({ length: 21 }, () => "\\[").join(" "),
      Array.from({ length: 19 }, () => "\\[").join(" "),
    ]);
  });
});

test("Telegram keeps a hundred entities in a message", () => {
  const markdown = Array.from({ length: 250 }, (_, index) => `**${index}**`).join(" a ");
  const counts = formatMarkdown(markdown, "telegram-html").map(({ text }) => text.split("<b>").length - 1);
  expect(counts).toEqual([100, 100, 50]);
});

test("messages that are full do not change when more is said", () => {
  const paragraphs = Array.from({ length: 20 }, (_, index) => `**${index}** ${words(index)}.`);
  const whole = texts(paragraphs.join("\n\n"), "telegram-html", 100);
  expect(whole).toHaveLength(13);
  for (let count = 1; count <= paragraphs.length; count++) {
    const full = texts(paragraphs.slice(0, count).join("\n\n"), "telegram-html", 100).slice(0, -1);
    expect(full).toEqual(whole.slice(0, full.length));
  }
});

test("an address that would take too much of a message is a text", () => {
  const url = `https://x.y/${"z".repeat(20)}`;
  expect(texts(`[a](${url})`, "discord", 64)).toEqual([`a (${url})`]);
  expect(texts(`[a](${url})`, "discord", 200)).toEqual([`[a](${url})`]);
});

test("a message that is too short for anything is refused", () => {
  expect(() => formatMarkdown("a", "discord", { units: 63 })).toThrow(
    expect.objectContaining({ code: "config/invalid" }),
  );
});

test("atoms are looked at a few times only", () => {
  const atom = (index: number): Atom => ({
    kind: index % 2 === 0 ? "word" : "space",
    text: index % 2 === 0 ? "word" : " ",
    written: index % 2 === 0 ? "word" : " ",
    marks: [],
    after: index % 2 === 0 ? 0 : 1,
  });
  const atoms = Array.from({ length: 100_000 }, (_, index) => atom(index));
  let reads = 0;
  const counted = new Proxy(atoms, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads++;
      return Reflect.get(target, name);
    },
  });
  const chunks = chunk(counted, { counts: "visible", maxMarks: 100 }, 1000, 1000);
  expect(chunks).toHaveLength(250);
  expect(reads).toBeGreaterThan(100_000);
  expect(reads).toBeLessThan(500_000);
});
