import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, Loss, Message, ToolCall, ToolResultMessage } from "../../core/types.js";
import { pair } from "./pair.js";

const call = (id: string, name: string): ToolCall => ({ type: "toolCall", id, name, arguments: {} });
const answer = (...content: ToolCall[]): AssistantMessage => ({
  role: "assistant",
  content,
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 2,
});
const result = (toolCallId: string, toolName: string, text: string): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName,
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 3,
});

function paired(...messages: Message[]) {
  const losses: Loss[] = [];
  const entries = messages.map((message, index) => ({ message, index }));
  const sent = pair(entries, (loss) => losses.push(loss)).map(({ message }) => {
    if (message.role === "assistant") {
      return message.content
        .map((block) => (block.type === "toolCall" ? `${block.id} calls ${block.name}` : ""))
        .join();
    }
    if (message.role !== "toolResult") return message.role;
    const [block] = message.content;
    return `${message.toolCallId} is answered: ${block?.type === "text" ? block.text : ""}`;
  });
  return { sent, losses: losses.map(({ at, what, severity }) => `${severity} ${at} ${what}`) };
}

test("a result belongs to the latest answer that used its id, and an earlier call without one is closed", () => {
  expect(paired(answer(call("x", "rm")), answer(call("x", "ls")), result("x", "ls", "a.txt"))).toEqual({
    sent: [
      "x calls rm",
      "x is answered: No result was recorded for this call.",
      "x_2 calls ls",
      "x_2 is answered: a.txt",
    ],
    losses: [
      'approximated /messages/1 the tool id "x", used before',
      'synthesised /messages/0 a result for the call "x"',
    ],
  });
});

test("two results for two calls with one id answer both, the latest call first", () => {
  expect(
    paired(
      answer(call("x", "rm")),
      answer(call("x", "ls")),
      result("x", "ls", "a.txt"),
      result("x", "rm", "gone"),
    ),
  ).toEqual({
    sent: ["x calls rm", "x is answered: gone", "x_2 calls ls", "x_2 is answered: a.txt"],
    losses: [
      'approximated /messages/1 the tool id "x", used before',
      'approximated /messages/3 the position of the result of "x"',
    ],
  });
});

test("a result in time comes before one that stands ahead of its call", () => {
  expect(paired(result("x", "ls", "old"), answer(call("x", "ls")), result("x", "ls", "new"))).toEqual({
    sent: ["x calls ls", "x is answered: new"],
    losses: ['dropped /messages/0 a result for "x"'],
  });
});

test("many calls without ids are named in linear time", () => {
  const calls = Array.from({ length: 20_000 }, () => call("", "ls"));
  expect(paired(answer(...calls)).sent.at(-1)).toContain("call_20000 is answered");
});
