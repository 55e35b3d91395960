import type { ToolResultMessage } from "dragoman/core";
import { expect, test } from "vitest";
import { partialText, subjectOf, toolState } from "./tool-state.js";

const result = (isError: boolean, text: string, details?: unknown): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: "1",
  toolName: "exec",
  content: [{ type: "text", text }],
  isError,
  timestamp: 1,
  ...(details === undefined ? {} : { details }),
});

test.each([
  ["done", result(false, "ok"), undefined, true],
  ["failed", result(true, "no"), undefined, true],
  ["cancelled", result(true, "aborted"), undefined, false],
  ["cancelled", result(true, "The process stopped", { reason: "interrupted" }), undefined, false],
  ["asking", undefined, { state: "asking" as const }, true],
  ["running", undefined, { state: "running" as const }, true],
  ["waiting", undefined, undefined, true],
  ["ended", undefined, { state: "ended" as const }, true],
  ["unanswered", undefined, undefined, false],
  ["unanswered", undefined, { state: "ended" as const }, false],
])("a call is %s", (state, answer, activity, busy) => {
  expect(toolState(answer, activity, busy)).toBe(state);
});

test.each([
  [{ timeout: 3, command: "npm test\nmore" }, "npm test"],
  [{ limit: 5, file_path: "a.ts" }, "a.ts"],
  [{ n: 1, city: "Paris" }, "Paris"],
  [{ n: 1 }, ""],
  ["text", ""],
])("%j is about %j", (args, subject) => {
  expect(subjectOf(args)).toBe(subject);
});

test("what a running tool says", () => {
  expect(
    partialText({
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    }),
  ).toBe("a\nb");
  expect(partialText({ content: "c" })).toBe("c");
  expect(partialText(7)).toBe("");
});
