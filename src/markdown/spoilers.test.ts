import { expect, test } from "vitest";
import { closeSpoiler, markdownLosses } from "./index.js";

test.each([
  ["It was ||the but", "It was ||the but||"],
  ["It was ||the butler|", "It was ||the butler||"],
  ["It was ||the butler||", "It was ||the butler||"],
  ["||a|| and ||b **c** ", "||a|| and ||b **c**||"],
  ["It was ||", "It was ||"],
  ["a || b", "a || b"],
  ["||a\n\nanother paragraph", "||a\n\nanother paragraph"],
  ["`a ||b", "`a ||b||"],
  ["`a ||b` c", "`a ||b` c"],
  ["```js\na ||b", "```js\na ||b"],
  ["```\nx\n```\n\n||a", "```\nx\n```\n\n||a||"],
])("the beginning of an answer %j hides what it will hide", (markdown, closed) => {
  expect(closeSpoiler(markdown)).toBe(closed);
});

test("a spoiler is a loss where the platform has none", () => {
  const loss = {
    at: "/content",
    what: "a spoiler",
    why: "the platform has no spoilers; the text is sent without hiding it",
    severity: "approximated",
  };
  expect(markdownLosses("- a **||b||**", "whatsapp")).toEqual([loss]);
  expect(markdownLosses("a || b", "whatsapp")).toEqual([]);
  expect(markdownLosses("- a **||b||**", "discord")).toEqual([]);
  expect(markdownLosses("- a **||b||**", "telegram-html")).toEqual([]);
});

test("a hundred thousand signs are read in no time", () => {
  const started = performance.now();
  for (const text of ["||", "|| ", " ||a", "||a || ", "||a||"])
    markdownLosses(text.repeat(50_000), "whatsapp");
  expect(performance.now() - started).toBeLessThan(20_000);
});
