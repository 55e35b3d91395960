import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutAt } from "../../../test/generate/chunks.js";
import { MarkdownStream } from "./markdown.js";

interface Look {
  width?: number;
  coloured?: boolean;
}

function rendered(deltas: readonly string[], { width = 30, coloured = false }: Look = {}): string {
  const stream = new MarkdownStream({ width, coloured });
  return deltas.map((delta) => stream.push(delta)).join("") + stream.end();
}

function lines(...all: string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

const plain: [name: string, source: string, expected: string][] = [
  ["nothing", "", ""],
  ["only blank lines", "\n\n \n", ""],
  ["a paragraph", "one two", lines("one two")],
  ["blank lines become one", "\n\none\n\n\n\ntwo\n\n", lines("one", "", "two")],
  ["a long line", "aaaa bbbb cccc dddd eeee ffff gggg", lines("aaaa bbbb cccc dddd eeee ffff", "gggg")],
  ["each line is a line", "one\ntwo", lines("one", "two")],
  ["a word that is too long", `a ${"x".repeat(40)} b`, lines("a", "x".repeat(40), "b")],
  ["several spaces", "a   b", lines("a   b")],
  ["a heading", "## Two *three*", lines("## Two *three*")],
  ["no heading", "####### seven\n#hashtag", lines("####### seven", "#hashtag")],
  [
    "a list",
    "- one\n* two\n+ three\n10. four\n2) five\n-",
    lines("- one", "* two", "+ three", "10. four", "2) five", "- "),
  ],
  ["a long item", "- aaaa bbbb cccc dddd eeee ffff gggg", lines("- aaaa bbbb cccc dddd eeee", "  ffff gggg")],
  ["a nested item", "- a\n  - b\n    c", lines("- a", "  - b", "    c")],
  ["a task", "- [ ] to do\n- [x] done", lines("- [ ] to do", "- [x] done")],
  ["a quotation", "> a\n>\n> > b\nc", lines("│ a", "", "│ │ b", "c")],
  [
    "a long quotation",
    "> aaaa bbbb cccc dddd eeee ffff gggg",
    lines("│ aaaa bbbb cccc dddd eeee", "│ ffff gggg"),
  ],
  ["a rule", "a\n\n---\n* * *\n___", lines("a", "", "─".repeat(30), "─".repeat(30), "─".repeat(30))],
  [
    "code",
    "```js\n  a  =  1\n\n# no heading\n```\nb",
    lines("```js", "  a  =  1", "", "# no heading", "```", "b"),
  ],
  ["code in code", "````\n```\n````", lines("````", "```", "````")],
  ["code that never ends", "~~~\na", lines("~~~", "a", "~~~")],
  ["code in a quotation", "> ```\n> a\nb", lines("│ ```", "│ a", "│ ```", "b")],
  ["code on one line", "```a``` b", lines("```a``` b")],
  ["spans", "*a* **b** ***c*** _d_ __e__ ~~f~~ `g`", lines("*a* **b** ***c*** _d_ __e__", "~~f~~ `g`")],
  ["a link", "see [the *docs*](http://x.y/a_(b)).", lines("see the *docs*", "(http://x.y/a_(b)).")],
  ["a link that is its own text", "[http://x.y](http://x.y) <http://z>", lines("http://x.y http://z")],
  ["an image", "![a cat](cat.png)!", lines("a cat (cat.png)!")],
  ["what looks like a link", "[1] [a] (b) a[0](", lines("[1] [a] (b) a[0](")],
  ["formulas", "*a* \\(b_1 * c * d\\) $x_1$\n$5 a piece", lines("*a* \\(b_1 * c * d\\) $x_1$", "$5 a piece")],
  [
    "formulas on several lines",
    "so\n\\[\na \\\\\n# b\n\n\\] *c*\n\nd \\( e\nf \\\\ \\) *g*\n> $$ h\n> - i\n\\\\j",
    lines(
      "so",
      "\\[",
      "a \\\\",
      "# b",
      "",
      "\\] *c*",
      "",
      "d \\( e",
      "f \\\\ \\) *g*",
      "│ $$ h",
      "│ - i",
      "\\j",
    ),
  ],
  ["escaped marks", "\\*a\\* \\\\ \\q", lines("*a* \\ \\q")],
  [
    "a table",
    "| a | bb |\n|---|--:|\n| ccc | d |\n| e |",
    lines("a   │ bb", "────┼───", "ccc │  d", "e   │"),
  ],
  ["a table, centred", "|a|\n|:-:|\n|bbb|\nx", lines(" a", "───", "bbb", "x")],
  ["a pipe in a table", "|a\\|b|\n|-|\n", lines("a|b", "───")],
  [
    "a table that is too wide",
    `|a|b|\n|-|-|\n|${"c".repeat(20)}|${"d".repeat(20)}|\n|e|f|`,
    lines(`a: ${"c".repeat(20)}`, `b: ${"d".repeat(20)}`, "", "a: e", "b: f"),
  ],
  ["no table", "|x| is the absolute value\nof x", lines("|x| is the absolute value", "of x")],
  [
    "wide characters",
    "日本語のテキストは空白がないので、改行できます。",
    lines("日本語のテキストは空白がないの", "で、改行できます。"),
  ],
  [
    "emoji",
    `${"👩‍👩‍👧 ".repeat(10)}❤️ x`,
    lines("👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧", "❤️ x"),
  ],
  ["characters that combine", `${"e\u0301".repeat(29)} x`, lines("e\u0301".repeat(29), "x")],
  [
    "wide characters in a table",
    "|a|b|\n|-|-|\n|日本|x|\n|é|y|",
    lines("a    │ b", "─────┼──", "日本 │ x", "é    │ y"),
  ],
];

describe("without colours", () => {
  test.each(plain)("%s", (_, source, expected) => {
    expect(rendered([source])).toBe(expected);
  });
});

/** `<1>` for `ESC [ 1 m`. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
  return text.replaceAll(/\u001b\[(\d+)m/g, "<$1>");
}

test.each([
  ["# Title `x`", "<1>Title<22> <1><36>x<39><22>"],
  ["a **b c** *d* ~~e~~ `f`", "a <1>b<22> <1>c<22> <3>d<23> <9>e<29> <36>f<39>"],
  ["**a *b* `c`**", "<1>a<22> <1><3>b<23><22> <1><36>c<39><22>"],
  ["**a `b** c", "<1>a<22> <1>`b<22> c"],
  ["[a](http://b)", "a <2>(http://b)<22>"],
  ["[a [b] c](http://d 'e')", "a [b] c <2>(http://d)<22>"],
  ["see http://a/_b_/c_d.", "see <2>http://a/_b_/c_d<22>."],
  ["a &lt;b&gt; &amp; c", "a <b> & c"],
  ["- a", "• a"],
  ["a \\(b*c*d\\)", "a <36>\\(b*c*d\\)<39>"],
  ["1. a", "1. a"],
  ["> a", "<2>│ <22>a"],
  ["```ts\na\n```", "<2>┌─ ts<22>\na\n<2>└─<22>"],
  ["|a|\n|-|\n|**b**|", "<1>a<22>\n─\n<1>b<22>"],
])("with colours: %j", (source, expected) => {
  expect(visible(rendered([source], { coloured: true }))).toBe(`${expected}\n`);
});

test.each([
  "2 * 3 * 4 = 24",
  "snake_case_name and a__b__c",
  "use *args and **kwargs",
  "an `unclosed span",
  "**bold that never ends",
  "a ` b `` c",
  "x < y and y > z",
  "[a](b c",
  `a ${"*".repeat(50)} b`,
])("what is no markup stays: %j", (source) => {
  expect(rendered([source], { width: 100, coloured: true })).toBe(`${source}\n`);
});

test("a span that is too long is none, and does not hold the rest back", () => {
  const stream = new MarkdownStream({ width: Number.POSITIVE_INFINITY, coloured: true });
  expect(stream.push(`**a ${"b ".repeat(300)}`)).toBe(`**a ${"b ".repeat(300).trimEnd()}`);
});

test("words, spans, lines of code and tables come as soon as they are whole", () => {
  const stream = new MarkdownStream({ width: 80, coloured: false });
  const deltas = [
    "Hel",
    "lo wor",
    "ld, **bo",
    "ld** `",
    "x` end",
    ".\n``",
    "`\ncode",
    "\n```\n",
    "|a|\n|-|\n",
    "|b|\n",
    "x ",
  ];
  expect(deltas.map((delta) => stream.push(delta))).toEqual([
    "",
    "Hello",
    " world,",
    " **bold**",
    " `x`",
    " end.\n",
    "```\n",
    "code\n```\n",
    "",
    "",
    "a\n─\nb\nx",
  ]);
  expect(stream.end()).toBe("\n");
});

describe("however it is cut", () => {
  const everything = plain.map(([, source]) => source).join("\n\n");

  test.each([true, false])("everything at once is everything bit by bit, colours: %s", (coloured) => {
    const whole = rendered([everything], { coloured });
    expect(rendered([...everything], { coloured })).toBe(whole);
    expect(rendered(everything.split(""), { coloured })).toBe(whole);
  });

  test("generated texts, cut at any place", () => {
    const fragment = fc.constantFrom(
      ..."*_`~[]()!<>\\|#-+.:= \n\n\t1a日😀",
      ...[
        "**",
        "***",
        "```",
        "``",
        "~~",
        "- ",
        "1. ",
        "> ",
        "# ",
        "|-|",
        "](",
        "http://x",
        "www.a.b",
        "a@b.co",
        "&lt;",
        "||",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "$",
        "$$",
        "\r",
        "\r\n",
        "\u001b[",
        "e\u0301",
        "x".repeat(60),
      ],
    );
    const text = fc.array(fragment, { maxLength: 60 }).map((fragments) => fragments.join(""));
    let cut = 0;
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (source, numbers, coloured) => {
        const units = Uint8Array.from({ length: source.length }, (_, i) => i % 256);
        let at = 0;
        const deltas = cutAt(
          units,
          numbers.map((number) => number % (source.length + 1)),
        ).map(({ length }) => {
          at += length;
          return source.slice(at - length, at);
        });
        if (deltas.length > 1 && source.length > 1) cut++;
        expect(rendered(deltas, { coloured })).toBe(rendered([source], { coloured }));
      }),
      { numRuns: 2000 },
    );
    expect(cut).toBeGreaterThan(1200);
  });
});

describe("a terminal is told nothing but text", () => {
  const attacks = [
    "\u001b[2J\u001b[H",
    "\u001b]0;title\u0007",
    "\u001b]52;c;cm0gLXJmIH4=\u0007",
    "\u001b]8;;http://evil\u001b\\safe\u001b]8;;\u001b\\",
    "\u001bP+q544e\u001b\\",
    "\u001b[6n\u001b[c\u001b[>q",
    "\u009b2J\u009d0;title\u009c\u0090x\u009c",
    "\u001bc\u001b(0\u001b#8",
    "a\b\b\bb\u007f\u0000\u000b\u000c\u000e",
    "visible\rhidden",
    "\u202Egnp.exe\u2066\u2069\u2028\u2029",
    "\ud800\udc00\ud800",
    "\u001b",
    "\u001b]0;never ends",
    "&#27;[2J &#x9b;2J &#8238;a &#10;b",
  ];
  const places = [
    (attack: string) => attack,
    (attack: string) => `# ${attack} *${attack}* **a${attack}b**`,
    (attack: string) => `[${attack}](http://x${attack})`,
    (attack: string) => `<http://${attack}>`,
    (attack: string) => `\`${attack}\``,
    (attack: string) => `\`\`\`${attack}\n${attack}\n\`\`\``,
    (attack: string) => `|${attack}|\n|-|\n|${attack}|`,
    (attack: string) => `- ${attack}\n> ${attack}`,
    (attack: string) => `\u001b${attack}`,
  ];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the only ones that may be there
  const ours = /\u001b\[(?:1|2|3|9|22|23|29|36|39)m/g;
  const dangerous = /[^\P{C}\n\t\u{10000}-\u{10ffff}]|[\u2028\u2029]/u;

  test.each(attacks)("%j", (attack) => {
    for (const place of places) {
      for (const deltas of [[place(attack)], place(attack).split("")]) {
        expect(rendered(deltas, { coloured: true }).replace(ours, "")).not.toMatch(dangerous);
        expect(rendered(deltas, { coloured: false })).not.toMatch(dangerous);
      }
    }
  });

  test("what is left of an attack can be read", () => {
    expect(rendered(["a\u001b[31mb\u001b]0;c\u0007d\u202ee\rf"])).toBe("abd\ufffde\nf\n");
  });
});

test("marks that never end cost no more the more there are", () => {
  const stream = new MarkdownStream({ width: 80, coloured: true });
  let length = 0;
  for (let i = 0; i < 10_000; i++) length += stream.push("*a [c _d **e ~~f ").length;
  expect(length + stream.end().length).toBe(170_000);
});
