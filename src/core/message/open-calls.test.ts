import { expect, test } from "vitest";
import type { AssistantMessage, ToolCall, ToolResultMessage } from "../types.js";
import { closingResults } from "./open-calls.js";
import { emptyUsage } from "./usage.js";

const call = (id: string, name = "read"): ToolCall => ({ type: "toolCall", id, name, arguments: {} });
const answer = (...content: ToolCall[]): AssistantMessage => ({
  role: "assistant",
  content,
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 1,
});
const result = (toolCallId: string): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [],
  isError: false,
  timestamp: 2,
});

test("a call without a result is closed with one that says what is known", () => {
  expect(closingResults([answer(call("x"), call("y", "exec")), result("x")], 3)).toEqual([
    {
      role: "toolResult",
      toolCallId: "y",
      toolName: "exec",
      content: [
        {
          type: "text",
          text: "The process stopped before the tool finished. Whether it had any effect is unknown.",
        },
      ],
      isError: true,
      timestamp: 3,
      details: { reason: "interrupted" },
    },
  ]);
});

test.each([
  ["two calls with one id and one result: one is open", [answer(call("x"), call("x")), result("x")], ["x"]],
  ["two calls with one id and two results", [answer(call("x"), call("x")), result("x"), result("x")], []],
  ["a result from before the answer", [answer(call("x")), result("x"), answer(call("x"))], ["x"]],
  ["an answer before the last one", [answer(call("x")), answer(call("y")), result("y")], []],
  ["no answer", [result("x")], []],
])("%s", (_, messages, open) => {
  expect(closingResults(messages, 3).map(({ toolCallId }) => toolCallId)).toEqual(open);
});
