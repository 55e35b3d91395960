import { expect, test } from "vitest";
import { painter } from "../terminal/colour.js";
import { Activity, statusLine } from "./status.js";

const started = (toolCallId: string, command: string) => ({
  type: "tool_execution_start" as const,
  toolCallId,
  toolName: "exec",
  args: { command },
});

test("a call is named with what it is about", () => {
  const activity = new Activity("waiting");
  activity.observe(started("1", "npm test"));
  expect(activity.text).toBe("running exec npm test");
});

test("while one of several calls runs, the model is not waited for", () => {
  const activity = new Activity("waiting");
  activity.observe(started("1", "npm test"));
  activity.observe(started("2", "ls"));
  expect(activity.text).toBe("running 2 tools: exec ls");
  activity.observe({
    type: "tool_execution_end",
    toolCallId: "2",
    toolName: "exec",
    result: {},
    isError: false,
  });
  expect(activity.text).toBe("running exec npm test");
  activity.observe({
    type: "tool_execution_end",
    toolCallId: "1",
    toolName: "exec",
    result: {},
    isError: false,
  });
  expect(activity.text).toBe("waiting for the model");
});

test.each([
  [80, "⠙ running exec npm test · 12 s · 2 queued · Ctrl-C to stop"],
  [40, "⠙ running exec npm t… · 12 s · 2 queued"],
])("in %i columns", (columns, expected) => {
  const status = { activity: "running exec npm test", ms: 12_345, queued: 2, frame: 1 };
  expect(statusLine(status, columns, painter(false))).toBe(expected);
});
