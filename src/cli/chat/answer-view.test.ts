import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import { events } from "../../core/stream/events.js";
import type { AgentMessage, AssistantMessage } from "../../core/types.js";
import { painter } from "../terminal/colour.js";
import { AnswerView } from "./answer-view.js";

function viewed(thinking: boolean, columns = 30) {
  let shown = "";
  let time = 0;
  const view = new AnswerView({
    write: (text) => {
      shown += text;
    },
    paint: painter(false),
    coloured: false,
    columns: () => columns,
    thinking: () => thinking,
    now: () => time,
  });
  return { view, shown: () => shown, pass: (ms: number) => (time += ms) };
}

const user: AgentMessage = { role: "user", content: "What is in\nthis folder, and why?", timestamp: 1 };

function answer(
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: "x",
    provider: "p",
    model: "m",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 1,
    ...more,
  };
}

/** All events of a message, cut into single characters. */
function stream(view: AnswerView, message: AssistantMessage): void {
  for (const event of events(message, (text) => text)) {
    if (event.type === "start" || event.type === "done" || event.type === "error") continue;
    view.observe({ type: "message_update", message, assistantMessageEvent: { ...event, partial: message } });
  }
  view.observe({ type: "message_end", message });
}

const thoughtful = answer([
  { type: "thinking", thinking: "The folder has to be read before I can say anything." },
  { type: "text", text: "Let me look." },
  { type: "toolCall", id: "1", name: "read", arguments: { file_path: "." } },
]);

test("a turn: the question, a folded thought, the text, a folded call", () => {
  const { view, shown, pass } = viewed(false);
  view.observe({ type: "message_end", message: user });
  stream(view, thoughtful);
  view.observe({ type: "tool_execution_start", toolCallId: "1", toolName: "read", args: { file_path: "." } });
  pass(60_000);
  view.restartClocks();
  pass(1500);
  view.observe({
    type: "tool_execution_end",
    toolCallId: "1",
    toolName: "read",
    result: { content: [{ type: "text", text: "a.ts" }] },
    isError: false,
  });
  stream(view, answer([{ type: "text", text: "It has **one** file." }]));
  expect(shown()).toBe(
    [
      "› What is in",
      "  this folder, and why?",
      "",
      "✻ thought: 52 characters",
      "",
      "Let me look.",
      "",
      "● read . · 1.5 s",
      "  a.ts",
      "",
      "It has **one** file.",
      "",
    ].join("\n"),
  );
});

test("a thought in full is indented", () => {
  const { view, shown } = viewed(true);
  stream(view, thoughtful);
  expect(shown()).toBe("  The folder has to be read\n  before I can say anything.\n\nLet me look.\n");
});

test("an answer that breaks off says why", () => {
  const { view, shown } = viewed(false);
  stream(
    view,
    answer([{ type: "text", text: "I was" }], { stopReason: "error", errorMessage: "the line is dead" }),
  );
  expect(shown()).toBe("I was\n\nthe line is dead\n");
});

test("an answer of another model of a list names the models before it", () => {
  const { view, shown } = viewed(false);
  const fallbacks = [{ model: "anthropic/claude", reason: "context" }];
  stream(view, answer([{ type: "text", text: "Hi" }], { ext: { fallbacks } }));
  expect(shown()).toBe("Hi\n\np/m answered instead of anthropic/claude (context window too small)\n");
});

test("messages of long ago look the same, without times", () => {
  const { view, shown } = viewed(false);
  view.showPast(user);
  view.showPast(thoughtful);
  view.showPast({
    role: "toolResult",
    toolCallId: "1",
    toolName: "read",
    content: [{ type: "text", text: "no such folder" }],
    isError: true,
    timestamp: 1,
  });
  view.showPast(answer([], { stopReason: "aborted" }));
  expect(shown()).toBe(
    [
      "› What is in",
      "  this folder, and why?",
      "",
      "Let me look.",
      "",
      "✗ read .",
      "  no such folder",
      "stopped",
      "",
    ].join("\n"),
  );
});
