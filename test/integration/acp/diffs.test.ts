import { expect, test } from "vitest";

import { hunkDiffs } from "../../../src/acp/agent/diffs.js";
import { unifiedDiff } from "../../../src/tools/unified-diff.js";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join("");

test.each([
  ["one line", "a\nb\n", "a\nB\n", [["a\nb\n", "a\nB\n"]]],
  ["no newline at the end", "a", "b", [["a", "b"]]],
  ["a newline is added", "a", "a\n", [["a", "a\n"]]],
  ["carriage returns", "a\r\nb\r\n", "a\r\nc\r\n", [["a\r\nb\r\n", "a\r\nc\r\n"]]],
  [
    "lines that look like a diff",
    "@@ -1 +1 @@\n-x\n",
    "@@ -1 +1 @@\n+y\n",
    [["@@ -1 +1 @@\n-x\n", "@@ -1 +1 @@\n+y\n"]],
  ],
  [
    "two places",
    numbers(1, 20),
    `one\n${numbers(2, 19)}twenty\n`,
    [
      ["1\n2\n3\n4\n", "one\n2\n3\n4\n"],
      ["17\n18\n19\n20\n", "17\n18\n19\ntwenty\n"],
    ],
  ],
  ["nothing", "a\n", "a\n", []],
])("a unified diff becomes a diff for each hunk: %s", (_, before, after, expected) => {
  const found = hunkDiffs("/w/f", unifiedDiff("f", before, after));
  expect(found.map(({ oldText, newText }) => [oldText, newText])).toEqual(expected);
});
