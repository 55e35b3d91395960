import { expect, test } from "vitest";
import { emptyUsage } from "../core/message/usage.js";
import type { AgentEvent, AssistantMessage } from "../core/types.js";
import { LiveState } from "./live-state.js";

type Update = Extract<AgentEvent, { type: "message_update" }>["assistantMessageEvent"];

function answerWith(content: AssistantMessage["content"]): AssistantMessage {
  const model = { api: "demo", provider: "demo", model: "echo" };
  return {
    role: "assistant",
    id: "a1",
    content,
    ...model,
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 1,
  };
}

function stateOf(partial: AssistantMessage, steps: readonly Update[]): LiveState {
  const live = new LiveState();
  live.apply({ type: "message_start", message: { ...partial, content: [] } });
  for (const step of steps) {
    live.apply({ type: "message_update", message: partial, assistantMessageEvent: step });
  }
  return live;
}

test("a watcher that joins late gets what the events have shown, not what the live answer has already", () => {
  // The first words wait until they are in the run's mark: their event follows.
  const partial = answerWith([
    { type: "thinking", thinking: "Hm. So" },
    { type: "text", text: "Good morning" },
  ]);
  const live = stateOf(partial, [
    { type: "thinking_start", contentIndex: 0, partial },
    { type: "thinking_delta", contentIndex: 0, delta: "Hm.", partial },
  ]);
  expect(live.answerEvents()).toEqual([{ type: "thinking_delta", contentIndex: 0, delta: "Hm." }]);
  const next: Update[] = [
    { type: "thinking_delta", contentIndex: 0, delta: " So", partial },
    { type: "text_start", contentIndex: 1, partial },
    { type: "text_delta", contentIndex: 1, delta: "Good ", partial },
  ];
  for (const step of next) {
    live.apply({ type: "message_update", message: partial, assistantMessageEvent: step });
  }
  expect(live.answerEvents()).toEqual([
    { type: "thinking_delta", contentIndex: 0, delta: "Hm. So" },
    { type: "text_delta", contentIndex: 1, delta: "Good " },
  ]);
});

test("a call is reproduced with the raw text of its arguments", () => {
  const toolCall = { type: "toolCall" as const, id: "c1", name: "read", arguments: {} };
  const partial = answerWith([toolCall]);
  const start = { type: "toolcall_start" as const, contentIndex: 0, id: "c1", name: "read" };
  const begun = stateOf(partial, [{ ...start, partial }]);
  expect(begun.answerEvents()).toEqual([start]);
  const delta = { type: "toolcall_delta" as const, contentIndex: 0, delta: '{"path":' };
  expect(
    stateOf(partial, [
      { ...start, partial },
      { ...delta, partial },
    ]).answerEvents(),
  ).toEqual([start, delta]);
  const whole = { ...toolCall, arguments: { path: "a" } };
  expect(
    stateOf(partial, [{ type: "toolcall_end", contentIndex: 0, toolCall: whole, partial }]).answerEvents(),
  ).toEqual([start, { type: "toolcall_delta", contentIndex: 0, delta: '{"path":"a"}' }]);
});
