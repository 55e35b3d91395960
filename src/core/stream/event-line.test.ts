import { expect, test } from "vitest";
import { emptyUsage } from "../message/usage.js";
import type { AgentEvent, AssistantMessage } from "../types.js";
import { is } from "../validate.js";
import { eventLine, joinDeltas, stepLine } from "./event-line.js";
import { messageEvents } from "./events.js";

const call = { type: "toolCall" as const, id: "c1", name: "read", arguments: { path: "a.ts" } };
const answer: AssistantMessage = {
  role: "assistant",
  id: "m1",
  content: [{ type: "thinking", thinking: "Hm" }, { type: "text", text: "Hello" }, call],
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "error",
  errorMessage: "it broke",
  timestamp: 1,
};
const tool = { toolCallId: "c1", toolName: "read" };
const run: AgentEvent[] = [
  { type: "agent_start" },
  { type: "turn_start" },
  ...messageEvents(answer),
  { type: "tool_execution_update", ...tool, args: { path: "a.ts" }, partialResult: "…" },
  { type: "turn_end", message: answer, toolResults: [] },
  { type: "agent_end", messages: [answer] },
];

const update = (assistantMessageEvent: object) => ({ type: "message_update", assistantMessageEvent });

test("a step repeats nothing that its reader has already, or receives as a message", () => {
  expect(run.map(stepLine)).toEqual([
    { type: "agent_start" },
    { type: "turn_start" },
    { type: "message_start", message: { role: "assistant", id: "m1", error: { message: "it broke" } } },
    update({ type: "thinking_start", contentIndex: 0 }),
    update({ type: "thinking_delta", contentIndex: 0, delta: "Hm" }),
    update({ type: "thinking_end", contentIndex: 0 }),
    update({ type: "text_start", contentIndex: 1 }),
    update({ type: "text_delta", contentIndex: 1, delta: "Hello" }),
    update({ type: "text_end", contentIndex: 1 }),
    update({ type: "toolcall_start", contentIndex: 2, id: "c1", name: "read" }),
    update({ type: "toolcall_delta", contentIndex: 2, delta: '{"path":"a.ts"}' }),
    update({ type: "toolcall_end", contentIndex: 2, toolCall: call }),
    { type: "message_end", message: { role: "assistant", id: "m1", error: { message: "it broke" } } },
    { type: "tool_execution_update", ...tool, partialResult: "…" },
    { type: "turn_end" },
    { type: "agent_end" },
  ]);
});

test("an event, its line and its step fit the schema of lines", () => {
  const all = [...run, ...run.map(eventLine), ...run.map(stepLine)];
  expect(all.filter((line) => !is("AgentEventLine", line))).toEqual([]);
});

test("a message is whole or a name, and nothing between", () => {
  const { content: _, ...half } = answer;
  expect(is("AgentEventLine", { type: "message_end", message: half })).toBe(false);
});

test("only deltas of the same block are joined", () => {
  const delta = (contentIndex: number, text: string) =>
    ({ type: "text_delta", contentIndex, delta: text }) as const;
  expect(joinDeltas(delta(0, "a"), delta(0, "b"))).toEqual(delta(0, "ab"));
  expect(joinDeltas(delta(0, "a"), delta(1, "b"))).toBeUndefined();
  expect(joinDeltas(delta(0, "a"), { ...delta(0, "b"), type: "thinking_delta" })).toBeUndefined();
  expect(joinDeltas({ type: "text_start", contentIndex: 0 }, delta(0, "b"))).toBeUndefined();
});
