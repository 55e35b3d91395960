import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import type { AgentMessage } from "../../core/index.js";

const START = Date.parse("2026-03-02T09:00:00.000Z");
const ID = "00000001-0000-4000-8000-00000000000";

async function written(messages: readonly AgentMessage[]) {
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { output, losses } = await convert(lines, { from: "openclaw", to: "copilot-cli" });
  const events = output.split("\n").filter((line) => line !== "");
  return { events: events.map((line) => JSON.parse(line)), losses };
}

test("a conversation is a chain of events", async () => {
  const { events } = await written([
    { role: "session", id: `${ID}0`, timestamp: START },
    { role: "user", id: `${ID}1`, content: "List files", timestamp: START + 1 },
    {
      role: "assistant",
      id: `${ID}2`,
      content: [
        { type: "thinking", thinking: "One call." },
        { type: "text", text: "I look." },
        { type: "toolCall", id: "c1", name: "ls", arguments: { path: "." } },
      ],
      api: "anthropic-messages",
      provider: "anthropic",
      model: "claude-haiku-4.5",
      usage: {
        input: 1,
        output: 7,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 8,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason: "toolUse",
      timestamp: START + 2,
    },
    {
      role: "toolResult",
      id: `${ID}3`,
      toolCallId: "c1",
      toolName: "ls",
      content: [{ type: "text", text: "a.txt" }],
      isError: false,
      timestamp: START + 3,
    },
    {
      role: "toolResult",
      id: `${ID}4`,
      toolCallId: "c2",
      toolName: "ls",
      content: [{ type: "text", text: "no such folder" }],
      isError: true,
      timestamp: START + 4,
    },
  ]);
  expect(events[0]).toMatchObject({
    type: "session.start",
    data: { sessionId: `${ID}0`, version: 1, startTime: "2026-03-02T09:00:00.000Z" },
    parentId: null,
  });
  expect(events.slice(1)).toEqual([
    {
      type: "user.message",
      data: { content: "List files" },
      id: `${ID}1`,
      timestamp: "2026-03-02T09:00:00.001Z",
      parentId: events[0].id,
    },
    {
      type: "assistant.message",
      data: {
        messageId: `${ID}2`,
        model: "claude-haiku-4.5",
        content: "I look.",
        toolRequests: [{ toolCallId: "c1", name: "ls", arguments: { path: "." }, type: "function" }],
        reasoningText: "One call.",
        outputTokens: 7,
      },
      id: `${ID}2`,
      timestamp: "2026-03-02T09:00:00.002Z",
      parentId: `${ID}1`,
    },
    {
      type: "tool.execution_complete",
      data: { toolCallId: "c1", success: true, result: { content: "a.txt" } },
      id: `${ID}3`,
      timestamp: "2026-03-02T09:00:00.003Z",
      parentId: `${ID}2`,
    },
    {
      type: "tool.execution_complete",
      data: { toolCallId: "c2", success: false, error: { message: "no such folder" } },
      id: `${ID}4`,
      timestamp: "2026-03-02T09:00:00.004Z",
      parentId: `${ID}3`,
    },
  ]);
});

test("Copilot's own system prompt is kept, and not shown", async () => {
  const line = {
    type: "system.message",
    data: { role: "system", content: "A prompt of the program." },
    id: `${ID}1`,
    timestamp: "2026-03-02T09:00:00.000Z",
    parentId: null,
  };
  const { output } = await convert(JSON.stringify(line), { from: "copilot-cli", to: "openclaw" });
  const message = JSON.parse(output);
  expect(message).toMatchObject({
    role: "custom",
    customType: "copilot-cli/system.message",
    data: line.data,
  });
  expect(message).not.toHaveProperty("content");
});
