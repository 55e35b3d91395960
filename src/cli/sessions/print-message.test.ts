import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage } from "../../core/types.js";
import { painter } from "../terminal/colour.js";
import { MessagePrinter, type PrintOptions } from "./print-message.js";

const timestamp = new Date(2026, 0, 15, 9, 30).getTime();

function printed(messages: AgentMessage[], options: Partial<PrintOptions> = {}): string[] {
  const printer = new MessagePrinter({
    paint: painter(false),
    columns: undefined,
    thinking: false,
    ids: false,
    losses: false,
    ...options,
  });
  return messages
    .map((message) => printer.print(message))
    .join("")
    .split("\n");
}

function answer(
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: "a",
    provider: "p",
    model: "m",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp,
    ...more,
  };
}

test("a turn with a tool", () => {
  const usage = { ...emptyUsage(), input: 12, output: 3, totalTokens: 15 };
  expect(
    printed(
      [
        { role: "user", content: "Hi\nthere", timestamp, id: "u1", sender: "ann" },
        answer(
          [
            { type: "thinking", thinking: "hm" },
            { type: "text", text: "Let me look." },
            { type: "toolCall", id: "c1", name: "read", arguments: { path: "a.ts" } },
          ],
          { stopReason: "toolUse", usage, id: "a1" },
        ),
        {
          role: "toolResult",
          toolCallId: "c1",
          toolName: "read",
          content: [{ type: "text", text: "1\n2\n3\n4\n5" }],
          isError: false,
          timestamp,
          id: "r1",
        },
      ],
      { thinking: true, ids: true },
    ),
  ).toEqual([
    "",
    "ann  2026-01-15 09:30  u1",
    "  Hi",
    "  there",
    "",
    "m  2026-01-15 09:30  12 in, 3 out  a1",
    "  │ hm",
    "  Let me look.",
    '  → read {"path":"a.ts"}',
    "  ← read  1  r1",
    "    2",
    "    3",
    "    … 2 more lines",
    "",
  ]);
});

test("what a model thought is shown to who asks for it", () => {
  const message = answer([{ type: "thinking", thinking: "hm" }]);
  expect(printed([message])).toEqual(["", "m  2026-01-15 09:30", ""]);
});

test("failures, media and what is not of the conversation", () => {
  expect(
    printed([
      answer([{ type: "text", text: "Half" }], { stopReason: "error", errorMessage: "overloaded" }),
      { role: "error", content: "no key", timestamp: 0 },
      { role: "user", content: [{ type: "image", data: "AAAA", mimeType: "image/png" }], timestamp: 0 },
      { role: "compaction", summary: "They met.", timestamp: 0 },
      { role: "custom", customType: "pi/label", data: { label: "x" }, timestamp: 0 },
    ]),
  ).toEqual([
    "",
    "m  2026-01-15 09:30",
    "  Half",
    "  (failed: overloaded)",
    "",
    "error",
    "  no key",
    "",
    "user",
    "  [image image/png 3 bytes]",
    "",
    "summary of everything above, for the model",
    "  They met.",
    "",
    "pi/label",
    '  {"label":"x"}',
    "",
  ]);
});

test("no text, name, argument or result carries a command to the terminal", () => {
  const evil = "\u001b]0;owned\u0007\u009b2J\u001b[31mx";
  const lines = printed([
    { role: "user", content: evil, timestamp, sender: evil },
    answer(
      [
        { type: "text", text: evil },
        { type: "toolCall", id: "c", name: evil, arguments: { [evil]: evil } },
      ],
      { model: evil, stopReason: "error", errorMessage: evil },
    ),
    {
      role: "toolResult",
      toolCallId: "c",
      toolName: evil,
      content: [{ type: "text", text: evil }],
      isError: true,
      timestamp,
    },
    { role: "error", content: evil, timestamp },
    { role: "custom", customType: evil, data: evil, timestamp },
    { role: "compaction", summary: evil, timestamp },
  ]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(lines.filter((line) => /[\0-\x1f\x7f-\x9f]/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.includes("x")).length).toBeGreaterThan(8);
});

test("a failure before anything was said is one line, and no empty answer", () => {
  const failed = answer([], {
    stopReason: "error",
    errorMessage: "HTTP 401: no",
    ext: { failure: { code: "provider/http" } },
  });
  expect(printed([failed])).toEqual(["", "error  2026-01-15 09:30", "  HTTP 401: no [provider/http]", ""]);
  expect(printed([answer([], { stopReason: "aborted" })])).toEqual([
    "",
    "m  2026-01-15 09:30",
    "  (stopped)",
    "",
  ]);
});
