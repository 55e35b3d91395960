import { expect, test } from "vitest";
import { inputRows } from "./input-rows.js";

const size = { columns: 13, rows: 3 };

test.each([
  ["", 0, ["> "], [0, 2]],
  ["hello", 5, ["> hello"], [0, 7]],
  ["hello", 2, ["> hello"], [0, 4]],
  ["one\ntwo", 7, ["> one", "  two"], [1, 5]],
  ["one\ntwo", 3, ["> one", "  two"], [0, 5]],
  ["one\n", 4, ["> one", "  "], [1, 2]],
  ["0123456789ab", 12, ["> 0123456789", "  ab"], [1, 4]],
  ["0123456789ab", 10, ["> 0123456789", "  ab"], [1, 2]],
  ["日本語日本語", 6, ["> 日本語日本", "  語"], [1, 4]],
  ["a\tb\u0007", 4, ["> a  b\ufffd"], [0, 7]],
  ["a\nb\nc\nd", 7, ["  b", "  c", "  d"], [2, 3]],
  ["a\nb\nc\nd", 0, ["> a", "  b", "  c"], [0, 2]],
])("%j with the cursor at %i", (text, cursor, lines, [row, column]) => {
  expect(inputRows(text, cursor, size, "> ")).toEqual({ lines, cursor: { row, column } });
});
