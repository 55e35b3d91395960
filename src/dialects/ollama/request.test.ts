import { expect, test } from "vitest";
import type { Call } from "../../core/api/provider.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, Loss } from "../../core/types.js";
import { ollamaApi } from "./index.js";

function write(call: Partial<Call>) {
  const losses: Loss[] = [];
  const whole = { model: "qwen3:8b", context: { messages: [] }, options: {}, stream: true, ...call };
  return { body: ollamaApi.request(whole, {}, (loss) => losses.push(loss)), losses };
}

const answer: AgentMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Two cities." },
    { type: "text", text: "Let me look." },
    { type: "toolCall", id: "toolu_1", name: "weather", arguments: { city: "Oslo" } },
    { type: "text", text: "And Rome." },
    { type: "toolCall", id: "toolu_2", name: "weather", arguments: { city: "Rome" } },
  ],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 1,
};

test("a conversation of another model", () => {
  const messages: AgentMessage[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "image", data: "/9j/", mimeType: "image/jpeg" },
      ],
      timestamp: 0,
    },
    answer,
    {
      role: "toolResult",
      toolCallId: "toolu_1",
      toolName: "weather",
      content: [
        { type: "text", text: "3°C" },
        { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" },
      ],
      isError: false,
      timestamp: 2,
    },
    {
      role: "toolResult",
      toolCallId: "toolu_2",
      toolName: "weather",
      content: [],
      isError: false,
      timestamp: 2,
    },
  ];
  const { body, losses } = write({ context: { systemPrompt: "Be brief.", messages } });
  expect(losses).toEqual([]);
  expect(body).toEqual({
    model: "qwen3:8b",
    stream: true,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Look", images: ["/9j/"] },
      {
        role: "assistant",
        thinking: "Two cities.",
        content: "Let me look.\nAnd Rome.",
        tool_calls: [
          { id: "toolu_1", function: { name: "weather", arguments: { city: "Oslo" } } },
          { id: "toolu_2", function: { name: "weather", arguments: { city: "Rome" } } },
        ],
      },
      {
        role: "tool",
        tool_name: "weather",
        tool_call_id: "toolu_1",
        content: "3°C",
        images: ["iVBORw0KGgo="],
      },
      { role: "tool", tool_name: "weather", tool_call_id: "toolu_2", content: "" },
    ],
  });
});

test("what the API cannot say is reported", () => {
  const messages: AgentMessage[] = [
    { role: "user", content: [{ type: "image", url: "https://example.com/a.png" }], timestamp: 0 },
    { role: "toolResult", toolCallId: "c", toolName: "f", content: [], isError: true, timestamp: 0 },
  ];
  const { losses } = write({ context: { messages }, options: { toolChoice: "any", thinking: "high" } });
  expect(losses.map(({ at, severity }) => [at, severity])).toEqual([
    ["/messages/0/content/0", "dropped"],
    ["/messages/1/isError", "dropped"],
    ["/options/thinking", "approximated"],
    ["/options/toolChoice", "dropped"],
  ]);
});

test.each([
  ["qwen3:8b", "off", false, 0],
  ["qwen3:8b", "medium", true, 0],
  ["qwen3:8b", "low", true, 1],
  ["qwen3:8b", { budgetTokens: 100 }, true, 1],
  ["gpt-oss:20b", "low", "low", 0],
  ["gpt-oss:20b", "minimal", "low", 1],
  ["openai/gpt-oss", { budgetTokens: 100 }, "medium", 1],
] as const)("thinking of %s at %j", (model, thinking, think, count) => {
  const { body, losses } = write({ model, options: { thinking } });
  expect([body["think"], losses.length]).toEqual([think, count]);
});

test("options, tools and fields that we have no name for", () => {
  const tools = [{ name: "f", description: "does it", parameters: { type: "object" } }];
  const extra = { keep_alive: "5m", format: "json", options: { num_ctx: 8192, temperature: 1 } };
  const { body } = write({
    context: { messages: [], tools },
    options: { maxTokens: 10, temperature: 0, extra },
  });
  expect(body).toEqual({
    model: "qwen3:8b",
    messages: [],
    stream: true,
    keep_alive: "5m",
    format: "json",
    // What the caller wrote in the API's own words wins.
    options: { num_ctx: 8192, num_predict: 10, temperature: 1 },
    tools: [
      { type: "function", function: { name: "f", description: "does it", parameters: { type: "object" } } },
    ],
  });
  expect(
    write({ context: { messages: [], tools }, options: { toolChoice: "none" } }).body,
  ).not.toHaveProperty("tools");
});

test("calls of a server without ids, and their results, are sent without ids", () => {
  const call = {
    type: "toolCall" as const,
    id: "call_5_0",
    name: "f",
    arguments: {},
    ext: { ollama: { noId: true } },
  };
  const messages: AgentMessage[] = [
    { ...answer, content: [call] },
    { role: "toolResult", toolCallId: "call_5_0", toolName: "f", content: [], isError: false, timestamp: 0 },
  ];
  expect(write({ context: { messages } }).body["messages"]).toEqual([
    { role: "assistant", content: "", tool_calls: [{ function: { name: "f", arguments: {} } }] },
    { role: "tool", content: "", tool_name: "f" },
  ]);
});

test("a message that was edited after it was read is written as edited", () => {
  const call = ollamaApi.readRequest({
    model: "m",
    messages: [{ role: "assistant" }, { role: "User", content: null }],
  });
  const [first, second] = call.context.messages;
  if (first?.role !== "assistant" || second?.role !== "user") throw new Error("roles");
  first.content = [{ type: "text", text: "edited" }];
  expect(ollamaApi.request(call, {}, () => undefined)["messages"]).toEqual([
    { role: "assistant", content: "edited" },
    { role: "User", content: null },
  ]);
});
