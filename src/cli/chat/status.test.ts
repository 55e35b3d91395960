import { expect, test } from "vitest";
import { painter } from "../terminal/colour.js";
import { activityAfter, statusLine } from "./status.js";

test("a call is named with what it is about", () => {
  expect(
    activityAfter(
      { type: "tool_execution_start", toolCallId: "1", toolName: "exec", args: { command: "npm test" } },
      "waiting",
    ),
  ).toBe("running exec npm test");
});

test.each([
  [80, "⠙ running exec npm test · 12 s · 2 queued · Ctrl-C to stop"],
  [40, "⠙ running exec npm t… · 12 s · 2 queued"],
])("in %i columns", (columns, expected) => {
  const status = { activity: "running exec npm test", ms: 12_345, queued: 2, frame: 1 };
  expect(statusLine(status, columns, painter(false))).toBe(expected);
});
