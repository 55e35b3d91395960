import { describe, expect, test } from "vitest";
import type {
  AgentEvent,
  AgentMessage,
  Api,
  AssistantMessage,
  Provider,
  ToolResultMessage,
} from "../core/index.js";
import type {
  ConversationMessage,
  AssistantMessage as ToolsAssistantMessage,
  ToolResultMessage as ToolsResultMessage,
  UserMessage as ToolsUserMessage,
} from "../dialects/clawtools/index.js";
import type { ContextInput } from "./accept.js";
import { connect } from "./connect.js";

const model = connect("anthropic/claude-opus-4-6", { apiKey: "k" });
const hi = { role: "user", content: "hi" } as const;

/** Programs without types can pass anything. */
async function preview(messages: readonly unknown[]) {
  const { request, losses } = await model.preview(
    { messages: messages as ContextInput["messages"] },
    { cache: false },
  );
  return { system: request["system"], messages: request["messages"], losses };
}

describe("a message in the shape of another format is an error before anything is sent", () => {
  test.each<[string, unknown[], string, string]>([
    [
      "an OpenAI tool result",
      [hi, { role: "tool", tool_call_id: "a1", content: "out" }],
      "clawtools/openai-tool-role",
      "/messages/1/role",
    ],
    [
      "the same with a time",
      [hi, { role: "tool", tool_call_id: "a1", content: "out", timestamp: 1 }],
      "clawtools/openai-tool-role",
      "/messages/1/role",
    ],
    [
      "OpenAI tool calls",
      [hi, { role: "assistant", content: "ok", tool_calls: [{ id: "a1", function: { name: "read" } }] }],
      "clawtools/openai-tool-calls",
      "/messages/1/tool_calls/0",
    ],
    [
      "arguments as JSON text",
      [{ role: "assistant", content: [{ type: "toolCall", id: "c", name: "read", arguments: "{}" }] }],
      "clawtools/arguments-no-object",
      "/messages/0/content/0/arguments",
    ],
    [
      "an Anthropic tool call",
      [{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: {} }] }],
      "clawtools/anthropic-tool-use",
      "/messages/0/content/0",
    ],
    [
      "an Anthropic tool result",
      [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x" }] }],
      "clawtools/anthropic-tool-result",
      "/messages/0/content/0",
    ],
    [
      "an image without an address",
      [{ role: "user", content: [{ type: "image_url", image_url: "https://x.test/a.png" }] }],
      "clawtools/no-image-url",
      "/messages/0/content/0",
    ],
    [
      "a role of another format",
      [{ role: "model", parts: [] }],
      "clawtools/unknown-role",
      "/messages/0/role",
    ],
    ["a user without content", [{ role: "user" }], "clawtools/no-content", "/messages/0"],
    ["a message that is none", [hi, "x"], "model/invalid", "/messages/1"],
    ["no messages", [], "model/invalid", "/messages"],
    [
      "nothing but a prompt",
      [{ role: "system", content: "Be brief.", timestamp: 1 }],
      "model/invalid",
      "/messages",
    ],
  ])("%s", async (_, messages, code, at) => {
    await expect(preview(messages)).rejects.toMatchObject({ name: "DragomanError", code, at });
  });

  test("the error says how to write it, and a connector throws the same", async () => {
    const messages: readonly unknown[] = [{ role: "tool", tool_call_id: "a1", name: "read", content: "out" }];
    await expect(
      connect("demo/echo").complete({ messages: messages as ContextInput["messages"] }),
    ).rejects.toMatchObject({
      code: "clawtools/openai-tool-role",
      hint: 'write { "role": "toolResult", "toolCallId": "a1", "toolName": "read", "content": [{ "type": "text", "text": "…" }], "isError": false }',
    });
  });
});

describe("system prompts", () => {
  test.each<[string, unknown[]]>([
    ["a developer message", [{ role: "developer", content: "Never say no." }, hi]],
    ["one with a time", [{ role: "developer", content: "Never say no.", timestamp: 1 }, hi]],
    ["a system message", [{ role: "system", content: "Never say no." }, hi]],
    [
      "a system message in blocks, after a session header",
      [
        { role: "session", timestamp: 0 },
        { role: "system", content: [{ type: "text", text: "Never say no." }], timestamp: 1 },
        hi,
      ],
    ],
  ])("%s at the head is the prompt", async (_, messages) => {
    expect(await preview(messages)).toEqual({
      system: "Never say no.",
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      losses: [],
    });
  });

  test("a given prompt comes first, and an image in a prompt is reported", async () => {
    const system: AgentMessage = {
      role: "system",
      content: [
        { type: "text", text: "B" },
        { type: "image", url: "https://x.test/a.png" },
      ],
      timestamp: 1,
    };
    const { request, losses } = await model.preview({ systemPrompt: "A", messages: [system, hi] });
    expect(request["system"]).toMatchObject([{ type: "text", text: "A\n\nB" }]);
    expect(losses).toEqual([
      {
        at: "/messages/0/content/1",
        what: "image content of a system prompt",
        why: "a system prompt is text",
        severity: "dropped",
      },
    ]);
  });

  test("one in mid-conversation is the text of a user, and reported", async () => {
    const { messages, losses } = await preview([hi, { role: "developer", content: "Be brief." }]);
    expect(messages).toEqual([
      { role: "user", content: [{ type: "text", text: "hi" }] },
      { role: "user", content: [{ type: "text", text: "Be brief." }] },
    ]);
    expect(losses.map(({ at, severity }) => `${severity} ${at}`)).toEqual(["approximated /messages/1"]);
  });
});

test("a whole message beside messages of clawtools keeps all it has", async () => {
  const signed: AssistantMessage = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
      { type: "text", text: "Hello" },
    ],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-opus-4-6",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "stop",
    timestamp: 1,
  };
  const { messages, losses } = await preview([hi, signed, hi]);
  expect(messages).toMatchObject([
    {},
    { content: [{ type: "thinking", thinking: "hm", signature: "sig" }, { text: "Hello" }] },
    {},
  ]);
  expect(losses).toEqual([]);
});

test("messages of clawtools compile, and are understood", async () => {
  const asked: ToolsUserMessage = {
    role: "user",
    content: [
      { type: "text", text: "Describe this image:" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
    ],
  };
  const called: ToolsAssistantMessage = {
    role: "assistant",
    content: [
      { type: "text", text: "I'll read that file now." },
      { type: "toolCall", id: "call_abc123", name: "read", arguments: { path: "src/index.ts" } },
    ],
  };
  const result: ToolsResultMessage = {
    role: "toolResult" as const,
    toolCallId: "call_abc123",
    toolName: "read",
    content: [{ type: "text", text: "File contents here…" }],
    isError: false,
  };
  const said: ToolsAssistantMessage = { role: "assistant", content: "The answer is 42." };
  const conversation: ConversationMessage[] = [asked, called, result, said];
  const { losses } = await model.preview({ messages: conversation });
  expect(losses).toEqual([]);
  const { content } = await connect("demo/echo").complete({
    messages: [{ role: "user", content: "Hello!" }],
  });
  expect(content).toEqual([{ type: "text", text: "Hello!" }]);
  await model.preview({ messages: [hi, { role: "assistant", content: null }, hi] });
});

test("the types of the message format compile", () => {
  const api: Api = "my-api";
  const provider: Provider = "anthropic";
  const result: ToolResultMessage<{ lines: number }> = {
    role: "toolResult",
    toolCallId: "c",
    toolName: "read",
    content: [],
    details: { lines: 3 },
    isError: false,
    timestamp: 1,
  };
  const partialOf = (event: AgentEvent) =>
    event.type === "message_update" ? event.assistantMessageEvent.partial.content.length : 0;
  expect([api, provider, result.details?.lines, partialOf({ type: "agent_start" })]).toEqual([
    "my-api",
    "anthropic",
    3,
    0,
  ]);
});

test("fields that neither clawtools nor a model knows are reported", async () => {
  const url = "https://example.test/a.png";
  const { losses } = await preview([
    { role: "user", content: "hi", priority: "high" },
    {
      role: "user",
      content: [
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url, zoom: 2 } },
      ],
    },
  ]);
  const why = "the format does not have this field, and models are not shown it";
  expect(losses).toEqual([
    { at: "/messages/0/priority", what: 'the field "priority"', why, severity: "dropped" },
    { at: "/messages/1/content/1/image_url/zoom", what: 'the field "zoom"', why, severity: "dropped" },
  ]);
});
