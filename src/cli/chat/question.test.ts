import { expect, test } from "vitest";
import { painter } from "../colour.js";
import { answerOf, questionLines } from "./question.js";

test.each([
  ["y", "once"],
  [" Yes ", "once"],
  ["a", "session"],
  ["n", "never"],
  ["yes, and then", undefined],
  ["", undefined],
  ["constructor", undefined],
])("%j means %s", (typed, expected) => {
  expect(answerOf(typed)).toBe(expected);
});

test("a command is shown whole, other arguments as far as they are short", () => {
  const command = "cat <<X\nsecret\nX";
  const content = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");
  const toolCall = { type: "toolCall" as const, id: "1", name: "exec", arguments: { command, content } };
  expect(questionLines({ id: "q", toolCall, subject: command }, painter(false))).toEqual([
    "? May it run exec: cat <<X",
    "  secret",
    "  X",
    "  content: line 0",
    ...["line 1", "line 2", "line 3", "line 4", "line 5", "line 6", "line 7", "line 8", "line 9"].map(
      (line) => `  ${line}`,
    ),
    "  … 2 more lines",
  ]);
});
