import { expect, test } from "vitest";
import { wrap } from "../../markdown/word-wrap.js";
import { clip, cut, duration } from "./clip.js";

test.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["two\n  lines", 20, "two lines"],
  ["a longer text", 8, "a longe…"],
  ["日本語テキスト", 7, "日本語…"],
  ["\u001b[31mred\u001b[0m", 10, "red"],
])("%j in %i columns is %j", (text, columns, expected) => {
  expect(clip(text, columns)).toBe(expected);
});

test("the indentation of a line that is only cut stays", () => {
  expect(cut("    return 1;", 10)).toBe("    retur…");
});

test("words go to the next line as a whole", () => {
  expect(wrap("one two three four", 9)).toEqual(["one two", "three", "four"]);
});

test.each([
  [0, "0.0 s"],
  [1234, "1.2 s"],
  [12_900, "12 s"],
  [185_000, "3 min 5 s"],
])("%i ms are %s", (ms, expected) => {
  expect(duration(ms)).toBe(expected);
});
