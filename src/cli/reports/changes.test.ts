import { expect, test } from "vitest";
import { painter } from "../terminal/colour.js";
import { changeLines, unplacedLines } from "./changes.js";

const plain = painter(false);

test("a change is what was and what is", () => {
  const change = { at: "/0/timestamp", line: 1, column: 9, code: "x/seconds", what: "milliseconds" };
  expect(changeLines({ ...change, before: 1740000000, after: 1740000000000 }, "a.jsonl", plain)).toEqual([
    "a.jsonl:1:9  milliseconds  x/seconds",
    "- 1740000000",
    "+ 1740000000000",
  ]);
  expect(changeLines({ ...change, before: "gone" }, "a.jsonl", painter(true))).toEqual([
    "\u001b[1ma.jsonl:1:9\u001b[22m  milliseconds  \u001b[2mx/seconds\u001b[22m",
    '\u001b[31m- "gone"\u001b[39m',
  ]);
});

test("a long value is cut, a change without a line has its pointer", () => {
  const change = { at: "/0/content", code: "x/y", what: "shorter", after: "x".repeat(500) };
  expect(changeLines(change, "a.json", plain)).toEqual([
    "a.json:/0/content  shorter  x/y",
    `+ "${"x".repeat(159)}…`,
  ]);
});

test("what has no place is listed, or its file is named", () => {
  const unplaced = [{ line: 7, text: "not json", why: "it is not JSON" }];
  expect(unplacedLines([], undefined)).toEqual([]);
  expect(unplacedLines(unplaced, "out.unplaced.jsonl")).toEqual([
    "1 line could not be placed; see out.unplaced.jsonl",
  ]);
  expect(unplacedLines(unplaced, undefined)).toEqual([
    "1 line could not be placed:",
    "  line 7: it is not JSON: not json",
  ]);
});
