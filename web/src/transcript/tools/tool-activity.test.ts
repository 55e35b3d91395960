import { expect, test } from "vitest";
import { ToolActivity } from "./tool-activity.js";

test("a call is asked for, runs, says something, and ends; only its own card hears of it", () => {
  let time = 100;
  const tools = new ToolActivity(() => time++);
  const told: string[] = [];
  tools.subscribe("a", () => told.push(`a ${tools.of("a")?.state}`));
  tools.subscribe("b", () => told.push("b"));
  tools.markAsking("a");
  tools.markAnswered("a");
  tools.push({ type: "tool_execution_start", toolCallId: "a" });
  tools.push({ type: "tool_execution_update", toolCallId: "a", partialResult: { content: "half" } });
  tools.push({ type: "tool_execution_end", toolCallId: "a" });
  expect(told).toEqual(["a asking", "a running", "a running", "a running", "a ended"]);
  expect(tools.of("a")).toEqual({ state: "ended", started: 101, ended: 102, partial: { content: "half" } });
  expect(tools.of("b")).toBeUndefined();
});

test("an answered call runs from then on, and output does not make it ask again", () => {
  let time = 100;
  const tools = new ToolActivity(() => time++);
  tools.push({ type: "tool_execution_start", toolCallId: "a" });
  tools.markAsking("a");
  tools.markAnswered("a");
  tools.push({ type: "tool_execution_update", toolCallId: "a", partialResult: "half" });
  expect(tools.of("a")).toEqual({ state: "running", started: 101, partial: "half" });
  tools.push({ type: "tool_execution_end", toolCallId: "a" });
  tools.markAnswered("a");
  expect(tools.of("a")).toEqual({ state: "ended", started: 101, ended: 102, partial: "half" });
});

test("when the run is over nothing is under way", () => {
  const tools = new ToolActivity(() => 1);
  tools.markAsking("a");
  tools.endAll();
  expect(tools.of("a")?.state).toBe("ended");
});

test("a call that a joining page knows to be asking is not running because it has started", () => {
  let now = 1_000;
  const tools = new ToolActivity(() => now);
  tools.markAsking("a");
  tools.push({ type: "tool_execution_start", toolCallId: "a" });
  expect(tools.of("a")).toEqual({ state: "asking" });
  now = 5_000;
  tools.markAnswered("a");
  expect(tools.of("a")).toEqual({ state: "running", started: 5_000 });
});
