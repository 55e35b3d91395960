import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Chunk, type Format, formatMarkdown } from "../../src/markdown/index.js";
import { nestingProblems, parseTelegramHtml, type TelegramText } from "../fakes/telegram-html.js";
import { runs } from "../generate/runs.js";

const word = fc.constantFrom(
  ..."the quick brown fox, jumps over snake_case_names. <b>not&amp;html</b> 2*3 @everyone <@12> 1986. - # > |".split(
    " ",
  ),
  ...[
    "日本語のテキスト。",
    "שלום",
    "مرحبا",
    "👩‍👩‍👧‍👦",
    "❤️",
    "e\u0301",
    "🇩🇪",
    "x".repeat(90),
    "😀".repeat(40),
  ],
  ..."` `` ``` * ** _ ~~ [ ]( ![ \\ \\(a_1\\) $b*c$ < & https://x.y/a_b www.x.y a@b.c".split(" "),
);
const words = fc.array(word, { minLength: 1, maxLength: 30 }).map((all) => all.join(" "));
const span = fc.oneof(
  { weight: 3, arbitrary: words },
  words.map((text) => `**${text}**`),
  words.map((text) => `*${text}*`),
  words.map((text) => `~~${text}~~`),
  words.map((text) => `||${text}||`),
  words.map((text) => `\`${text}\``),
  words.map((text) => `[${text}](https://x.y/z)`),
  words.map((text) => `**a [${text}](http://b.c) \`d\`**`),
);
const line = fc.array(span, { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));
const lines = fc.array(line, { minLength: 1, maxLength: 6 });
const language = fc.constantFrom("", "js", "c++");
const block = fc.oneof(
  lines.map((all) => all.join("\n")),
  lines.map((all) => all.map((each) => `- ${each}`).join("\n")),
  lines.map((all) => all.map((each, index) => `${"  ".repeat(index % 3)}${index + 1}. ${each}`).join("\n")),
  lines.map((all) => all.map((each) => `> ${each}`).join("\n")),
  line.map((each) => `## ${each}`),
  fc.tuple(language, lines).map(([name, all]) => `\`\`\`${name}\n${all.join("\n  ")}\n\`\`\``),
  fc.tuple(language, lines).map(([name, all]) => `> \`\`\`${name}\n> ${all.join("\n> ")}`),
  lines.map((all) => `|a|b|\n|-|-:|\n${all.map((each) => `|${each}|1|`).join("\n")}`),
  fc.constantFrom(
    "---",
    "<div>",
    "[1]: https://x.y/",
    "- [x] done",
    "    code",
    "```",
    "~~~",
    "> > >",
    "\t- - x",
  ),
);
const markdown = fc.array(block, { minLength: 1, maxLength: 8 }).map((all) => all.join("\n\n"));
const units = fc.integer({ min: 64, max: 400 });

function parsed(html: string): TelegramText {
  const read = parseTelegramHtml(html);
  if ("error" in read) throw new Error(`${read.error}: ${html}`);
  return read;
}

/** Each unit that can be seen, with what it is marked with. */
function marked(html: string): string[] {
  const { text, entities } = parsed(html);
  const marks: string[][] = Array.from({ length: text.length }, () => []);
  for (const { type, offset, length, url, language: name } of entities) {
    for (let at = offset; at < offset + length; at++) marks[at]?.push(`${type} ${url ?? name ?? ""}`);
  }
  return text
    .split("")
    .flatMap((unit, at) => (/\s/.test(unit) ? [] : [`${unit} ${(marks[at] ?? []).toSorted().join()}`]));
}

const solid = (text: string) => text.replace(/\s/g, "");

/** What holds for the messages of every platform. */
function checkChunks(chunks: readonly Chunk[], whole: readonly Chunk[], limit: number): void {
  expect(solid(chunks.map(({ plain }) => plain).join(""))).toBe(
    solid(whole.map(({ plain }) => plain).join("")),
  );
  for (const { text, plain } of chunks) {
    expect(plain.length).toBeLessThanOrEqual(limit);
    expect(solid(plain)).not.toBe("");
    expect(text).not.toMatch(/^\n|\s$|\p{Surrogate}/u);
  }
}

/** With a limit that is never reached. */
function wholeOf(source: string, format: Format): Chunk[] {
  const whole = formatMarkdown(source, format, { units: 1_000_000 });
  // A hundred entities are the other limit.
  if (format !== "telegram-html") expect(whole.length).toBeLessThanOrEqual(1);
  return whole;
}

test("Telegram's messages say and mark what the text does, each within the rules of the Bot API", () => {
  const cut = { bold: 0, spoiler: 0, pre: 0, text_link: 0, blockquote: 0, code: 0 };
  fc.assert(
    fc.property(markdown, units, (source, limit) => {
      const whole = wholeOf(source, "telegram-html");
      const chunks = formatMarkdown(source, "telegram-html", { units: limit });
      checkChunks(chunks, whole, limit);
      for (const { text } of chunks) {
        const { text: seen, entities } = parsed(text);
        expect(seen.length).toBeLessThanOrEqual(limit);
        expect(nestingProblems(entities)).toEqual([]);
      }
      const marks = chunks.map(({ text }) => marked(text));
      expect(marks.flat()).toEqual(whole.flatMap(({ text }) => marked(text)));
      marks.forEach((units, index) => {
        const before = marks[index - 1]?.at(-1);
        for (const type of Object.keys(cut) as (keyof typeof cut)[]) {
          if (before?.includes(` ${type} `) && units[0]?.includes(` ${type} `)) cut[type]++;
        }
      });
    }),
    { numRuns: runs(400) },
  );
  expect(cut.bold).toBeGreaterThan(runs(100));
  expect(cut.spoiler).toBeGreaterThan(runs(50));
  expect(cut.pre).toBeGreaterThan(runs(100));
  expect(cut.text_link).toBeGreaterThan(runs(100));
  expect(cut.blockquote).toBeGreaterThan(runs(100));
  expect(cut.code).toBeGreaterThan(runs(50));
});

interface CodeLine {
  language: string;
  code: string;
}

/** The lines of code in Discord's Markdown; undefined when a block of code is left open. */
function codeLines(text: string): CodeLine[] | undefined {
  let open: string | undefined;
  let prefix = "";
  const result: CodeLine[] = [];
  for (const each of text.split("\n")) {
    const [fence, quoting = "", language = ""] = /^(> )?```(.*)$/.exec(each) ?? [];
    if (fence === undefined) {
      if (open !== undefined) result.push({ language: open, code: each.slice(prefix.length) });
    } else {
      open = open === undefined ? language : undefined;
      prefix = quoting;
    }
  }
  return open === undefined ? result : undefined;
}

const byUnit = (code: readonly CodeLine[]) =>
  code.flatMap((each) =>
    solid(each.code)
      .split("")
      .map((unit) => `${unit} ${each.language}`),
  );

test.each(["discord", "whatsapp"] as const)(
  "messages for %s are within the limit, with code closed and opened again",
  (format) => {
    let cutInCode = 0;
    let cut = 0;
    fc.assert(
      fc.property(markdown, units, (source, limit) => {
        const whole = wholeOf(source, format);
        const chunks = formatMarkdown(source, format, { units: limit });
        checkChunks(chunks, whole, limit);
        for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(limit);
        if (chunks.length > 1) cut++;
        if (format !== "discord") return;
        const code = chunks.map(({ text }) => codeLines(text));
        expect(code).not.toContain(undefined);
        expect(byUnit(code.flatMap((each) => each ?? []))).toEqual(
          byUnit(whole.flatMap(({ text }) => codeLines(text) ?? [])),
        );
        chunks.forEach(({ text }, index) => {
          if (/```$/.test(text) && /^(?:> )?```/.test(chunks[index + 1]?.text ?? "")) cutInCode++;
        });
      }),
      { numRuns: runs(200) },
    );
    expect(cut).toBeGreaterThan(runs(150));
    if (format === "discord") expect(cutInCode).toBeGreaterThan(runs(100));
  },
);

test("a plain text is the same with marks of quotations repeated", () => {
  const bare = (text: string) => text.replace(/[\s>]/g, "");
  fc.assert(
    fc.property(markdown, units, (source, limit) => {
      const chunks = formatMarkdown(source, "plain", { units: limit });
      for (const { text, plain } of chunks) {
        expect(text).toBe(plain);
        expect(text.length).toBeLessThanOrEqual(limit);
      }
      expect(bare(chunks.map(({ text }) => text).join(""))).toBe(
        bare(
          wholeOf(source, "plain")
            .map(({ text }) => text)
            .join(""),
        ),
      );
    }),
    { numRuns: runs(100) },
  );
});

const signs = fc.constantFrom(
  ..."*_`~[]()!<>\\|#-+.:=&@ \n\n\t1a日😀\ud83d\u0000\u202e",
  "```",
  "> ",
  "- ",
  "](http://x.y",
  "||",
  "\r\n",
);

test("whatever a text is made of, every part of it can be sent", () => {
  let shown = 0;
  fc.assert(
    fc.property(
      fc.array(signs, { maxLength: 150, size: "max" }),
      fc.constantFrom<Format>("telegram-html", "discord", "whatsapp"),
      (all, format) => {
        const source = all.join("");
        const chunks = formatMarkdown(source, format, { units: 64 });
        checkChunks(chunks, wholeOf(source, format), 64);
        if (format === "telegram-html") for (const { text } of chunks) nestingProblems(parsed(text).entities);
        shown += chunks.length;
      },
    ),
    { numRuns: runs(1500) },
  );
  expect(shown).toBeGreaterThan(runs(2000));
});

describe("a text that was made to hurt", () => {
  const size = 20_000;
  const times = (text: string) => text.repeat(Math.ceil(size / text.length));
  const bad: Record<string, string> = {
    ...Object.fromEntries(
      [
        ..."`[]*_~<>&\\|#-a \n\t",
        "![",
        "[a](",
        "**a *b ",
        "_a__",
        "a*_b ",
        "~~a ",
        "||a ",
        "||a||",
        "||",
        "<http://a",
        "> a\n",
        "- ",
        "- a\n",
        "1. ",
        "```\n",
        "[a]: b\n",
        "[a][b]",
        "a@",
        "www.",
        "&#9;",
        "a\n=\n",
        "    a\n",
        "👩‍👩‍👧",
        "e\u0301",
        "مرحبا ",
        "\u202e",
        "\ud800",
        "|a|b|\n|-|-|\n|c|d|\n\n",
        "`a``b```c",
        "$$\\frac{a}{b}$$ ",
      ].map((text) => [JSON.stringify(text), times(text)]),
    ),
    "a fence that never ends": `\`\`\`js\n${times("let a;\n")}`,
    "bold that never ends": `**${times("word ")}`,
    "a table with many columns": `${"a|".repeat(5000)}\n${"-|".repeat(5000)}\n${times("a\n")}`,
    "a long table": `|a|b|\n|-|-|\n${times("|c|d|\n")}`,
    "deep quotations": `${">".repeat(size)} a`,
    "deep lists": Array.from({ length: 250 }, (_, depth) => `${"  ".repeat(depth)}- a\n`).join(""),
    "deep emphasis": `${"*".repeat(size / 2)}a${"*".repeat(size / 2)}`,
    "deep brackets": `${"[".repeat(size / 2)}a${"]".repeat(size / 2)}`,
    "one letter with many signs": `a${"\u0301".repeat(size)}`,
  };

  test.each(Object.entries(bad))("%s", (_, source) => {
    for (const format of ["telegram-html", "discord"] as const) {
      const chunks = formatMarkdown(source, format);
      const written = chunks.reduce((sum, { text }) => sum + text.length, 0);
      expect(written).toBeLessThan(source.length * 12 + 1000);
      for (const { text } of chunks) {
        if (format === "discord") expect(text.length).toBeLessThanOrEqual(2000);
        else expect(nestingProblems(parsed(text).entities)).toEqual([]);
      }
    }
  });

  test("a megabyte in one word", () => {
    const chunks = formatMarkdown("x".repeat(1_000_000), "telegram-html");
    expect(chunks).toHaveLength(245);
    expect(chunks.map(({ text }) => text).join("")).toBe("x".repeat(1_000_000));
  });
});
