import { expect, test } from "vitest";
import { replaceLinks } from "./replace-links.js";

function linksIn(text: string): string[][] {
  const links: string[][] = [];
  const same = replaceLinks(text, (...link) => {
    links.push(link);
    return link[0];
  });
  expect(same).toBe(text);
  return links;
}

test.each([
  ["see ![a chart](chart.png).", [["![a chart](chart.png)", "a chart", "chart.png"]]],
  ["[x](<a.png>)", [["[x](<a.png>)", "x", "a.png"]]],
  ["[x](a.png>)", [["[x](a.png>)", "x", "a.png"]]],
  [
    "[](a)[b](c)",
    [
      ["[](a)", "", "a"],
      ["[b](c)", "b", "c"],
    ],
  ],
  ["!![x](a)", [["![x](a)", "x", "a"]]],
  ["[[x](a)", [["[[x](a)", "[x", "a"]]],
  ["[x] [y](a)", [["[y](a)", "y", "a"]]],
  ["[x](a b)", []],
  ["[x]()", []],
  ["[x\ny](a)", []],
  ["x](a)", []],
  ["[x](a", []],
  ["[x](a[b](c)", [["[x](a[b](c)", "x", "a[b](c"]]],
])("the links of %j", (text, links) => {
  expect(linksIn(text)).toEqual(links);
});

test("a replacement stands where its link was", () => {
  expect(replaceLinks("a [b](c) d ![e](f) g", (_, label, target) => `${label}=${target}`)).toBe(
    "a b=c d e=f g",
  );
});

test.each(["[", "[](", "](", "[x](y", "![", "[a](<", "[\n"])(
  "megabytes of %j are read through like any other text",
  (piece) => {
    // With a quadratic reader this test would run for hours, and end by the limit of the suite.
    expect(linksIn(piece.repeat(2_000_000 / piece.length))).toEqual([]);
  },
);
