import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkSync } from "recheck";
import { describe, expect, test } from "vitest";
import { ownCodes } from "../src/cli/terminal/colour.js";
import { alphanumeric } from "../src/core/api/api-rules.js";
import { runExpression, shapeOf } from "../src/framing/event-shape.js";
import { isSoak } from "./generate/runs.js";
import { endless, recipesFor } from "./support/adversarial-strings.js";
import { expressionsIn, type SourceExpression, sourceExpressions } from "./support/source-expressions.js";

// The analysis in JavaScript: the others start a program.
process.env["RECHECK_BACKEND"] = "pure";

/** Far more than a safe expression needs on a busy machine, and far less than an unsafe one takes. */
const BUDGET_MS = 20_000;
const LIMIT_MS = 100_000;

const sampleShape = shapeOf({ event: "e", data: '{"t":"x","n":1,"u":"y"}' }, new Set(["t", "n", "u"]));
if (sampleShape === undefined) throw new Error("the sample has no shape");

/** Expressions that are put together while the program runs, with what they come to. No other file may do that. */
const computed: Record<string, RegExp> = {
  // A choice between the numbers of a constant table.
  "src/cli/terminal/colour.ts": ownCodes,
  // A length in a pattern that is otherwise fixed.
  "src/core/api/api-rules.ts": alphanumeric(9).pattern,
  // Escaped texts with patterns for JSON strings and numbers between them.
  "src/framing/event-shape.ts": runExpression(sampleShape),
};

/** Expressions that the analysis calls unsafe and that are not, each with the reason. */
const exceptions: Record<string, string> = {
  [String.raw`/ {0,3}>.*(?:\n|$)/`]: "tried once after each match, and never again after it has failed",
};

/** Expressions that passed the tests below, one per line. `npm run soak` tests all again. */
const knownFile = fileURLToPath(new URL("support/linear-expressions.txt", import.meta.url));
const known = new Set(isSoak ? [] : readFileSync(knownFile, "utf8").split("\n"));
/** Those that were analysed in this run and found linear, and those of them that also finished. */
const analysed = new Set<string>();
const passed = new Set<string>();

const { expressions, computed: atRunTime } = sourceExpressions(["src", "web/src"]);
const all: SourceExpression[] = [
  // A sticky expression is tried at one place after another: together that is a search.
  ...expressions.map((one) => ({ ...one, flags: one.flags.replace("y", "") })),
  ...Object.entries(computed).map(([at, { source, flags }]) => ({ at, source, flags })),
];
const distinct = [...new Map(all.map((one) => [shown(one), one])).values()];
const files = [...new Set(distinct.map(fileOf))];

function fileOf({ at }: { at: string }): string {
  return at.replace(/:\d+$/, "");
}

function shown({ source, flags }: { source: string; flags: string }): string {
  return `/${source}/${flags}`;
}

/**
 * `linear`, or how bad it is and a text that shows it. Expressions with lookaround are judged by trial and error, which
 * can be wrong: there the text has to show it.
 */
async function verdict(source: string, flags: string): Promise<string> {
  // Without repetition no text can be looked at more than a fixed number of times.
  if (!/[*+{]/.test(source)) return "linear";
  const result = checkSync(source, flags, { timeout: LIMIT_MS });
  if (result.status === "safe") return "linear";
  if (result.status === "unknown") return `unknown: ${result.error.kind}`;
  const { checker, attack, complexity } = result;
  const [{ prefix: before, pump: unit } = { prefix: "", pump: "" }] = attack.pumps;
  const recipes = [{ before, unit, after: attack.suffix }];
  if (checker === "fuzz" && attack.pumps.length === 1) {
    const shows = await endless([{ source, flags, recipes }], 1000);
    if (shows.length === 0) return "linear";
  }
  return `${complexity.summary}: ${attack.pattern}`;
}

describe("the expressions of the product", () => {
  test("are all found", () => {
    expect(expressions.length).toBeGreaterThan(500);
    expect(expressions.map(({ at }) => at)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^src\/core\//),
        expect.stringMatching(/^src\/runtime\/generated\//),
        expect.stringMatching(/^web\/src\/.*\.tsx?:\d+$/),
      ]),
    );
  });

  test("are written out, but for those that are listed", () => {
    expect(atRunTime.map(fileOf)).toEqual(Object.keys(computed));
  });

  test("that are excepted exist", () => {
    expect(Object.keys(exceptions).filter((one) => !distinct.some((known) => shown(known) === one))).toEqual(
      [],
    );
  });

  test.each(files)("of %s are linear", { timeout: 2 * LIMIT_MS }, async (file) => {
    const inFile = distinct.filter((one) => fileOf(one) === file && exceptions[shown(one)] === undefined);
    const judged = await Promise.all(
      inFile
        .filter((one) => !known.has(shown(one)))
        .map(async (one) => ({ ...one, verdict: await verdict(one.source, one.flags) })),
    );
    expect(judged.filter((one) => one.verdict !== "linear")).toEqual([]);
    for (const one of judged) analysed.add(shown(one));
  });

  test("finish with long strings of their own characters", { timeout: 10 * LIMIT_MS }, async () => {
    const judged = distinct.filter((one) => exceptions[shown(one)] === undefined && !known.has(shown(one)));
    const stuck = await endless(judged, BUDGET_MS);
    for (const one of judged) if (analysed.has(shown(one)) && !stuck.includes(one)) passed.add(shown(one));
    expect(stuck).toEqual([]);
  });

  // The analysis of one can take ten seconds, so it is not repeated in every `npm test`.
  test("are listed when they have passed", async () => {
    const listed = distinct.map(shown).filter((one) => known.has(one) || passed.has(one));
    await expect(
      `${listed.sort().join("\n")}\n`,
      "list them with `npx vitest run test/regular-expressions.test.ts -u`",
    ).toMatchFileSnapshot(knownFile);
  });
});

/** Each took seconds for 100 KB of somebody else's text. */
const unsafe: [source: string, flags: string][] = [
  [String.raw`!?\[([^\]\n]*)\]\(<?([^)\s>]+)>?\)`, "g"],
  [String.raw`\s*\n\s*`, "g"],
  [String.raw`(?<=\b(?:Bearer|Basic)\s+)[^\s"',;]+`, "gi"],
  ["(a+)+$", ""],
];

describe("an unsafe expression", () => {
  test.each(unsafe)("is noticed by the analysis: /%s/%s", { timeout: LIMIT_MS }, async (source, flags) => {
    expect(await verdict(source, flags)).toMatch(/^(exponential|\d\w\w degree polynomial)/);
  });

  test.each(unsafe)("is noticed by running it: /%s/%s", async (source, flags) => {
    const fine = { source: "^a+$", flags: "" };
    expect(await endless([fine, { source, flags }, fine], 1000)).toEqual([{ source, flags }]);
  });
});

test("expressions are found wherever they are written", () => {
  const text = [
    "const a = /x+/g;",
    "const b: RegExp = new RegExp('y*', \"u\");",
    "if (/[/]/.test(call(/in a call/))) globalThis.RegExp('z');",
    "const c = new RegExp(b.source + a.source);",
    "// no /expression/",
  ].join("\n");
  expect(expressionsIn("a.ts", text)).toEqual({
    expressions: [
      { at: "a.ts:1", source: "x+", flags: "g" },
      { at: "a.ts:2", source: "y*", flags: "u" },
      { at: "a.ts:3", source: "[/]", flags: "" },
      { at: "a.ts:3", source: "in a call", flags: "" },
      { at: "a.ts:3", source: "z", flags: "" },
    ],
    computed: [{ at: "a.ts:4", code: "new RegExp(b.source + a.source)" }],
  });
});

test("the strings for an expression are made of what it looks for", () => {
  const texts = recipesFor(String.raw`\[([^\]\n]*)\]\(`).map(({ before, unit }) => [before, unit]);
  expect(texts).toEqual(
    expect.arrayContaining([
      ["", "["],
      ["", "[]"],
      ["[", "\n"],
      ["[]\n](", "("],
    ]),
  );
});
