import { describe, expect, test } from "vitest";
import type { AgentMessage, AssistantMessage, ToolResultMessage } from "../../core/types.js";
import { aiSdkUi } from "./index.js";

const text = (words: string) => ({ type: "text", text: words });
const start = { type: "step-start" };

function decoded(...records: Record<string, unknown>[]): AgentMessage[] {
  return aiSdkUi.decode(records).map(({ message }) => message);
}

function answer(
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    id: "a1",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-opus-4-6",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost },
    stopReason: "stop",
    timestamp: 5,
    ...more,
  };
}

function result(toolCallId: string, more: Partial<ToolResultMessage> = {}): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text: "Buy milk." }],
    isError: false,
    timestamp: 6,
    ...more,
  };
}

const call = (id: string) => ({ type: "toolCall" as const, id, name: "read", arguments: { path: "a.txt" } });
const part = (id: string, more: object) => ({
  type: "dynamic-tool",
  toolName: "read",
  toolCallId: id,
  input: { path: "a.txt" },
  ...more,
});

describe("a run becomes one message", () => {
  const metadata = { createdAt: 5, model: "claude-opus-4-6" };

  test("with a step for each answer, and each result in its call", () => {
    const run = [
      answer([call("c1"), call("c2")]),
      result("c2", { isError: true }),
      result("c1"),
      answer([{ type: "text", text: "Milk." }], { id: "a2" }),
    ];
    expect(aiSdkUi.encode(run)).toEqual([
      {
        id: "a1",
        role: "assistant",
        metadata,
        parts: [
          start,
          part("c1", { state: "output-available", output: "Buy milk.", resultIndex: 1 }),
          part("c2", { state: "output-error", errorText: "Buy milk.", resultIndex: 0 }),
          start,
          text("Milk."),
        ],
      },
    ]);
  });

  test.each<[string, Partial<ToolResultMessage>, object]>([
    [
      "a value that the text repeats",
      { content: [{ type: "text", text: '{"n":1}' }], details: { n: 1 } },
      { state: "output-available", output: { n: 1 } },
    ],
    [
      "a text beside other details",
      { details: { n: 1 } },
      { state: "output-available", output: "Buy milk." },
    ],
    [
      "a picture, as MCP tools return it",
      { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] },
      {
        state: "output-available",
        output: { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] },
      },
    ],
    [
      "an error with a picture",
      { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }], isError: true },
      {
        state: "output-available",
        output: { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }], isError: true },
      },
    ],
    ["an error without content", { content: [], isError: true }, { state: "output-error", errorText: "" }],
  ])("%s", (_, more, expected) => {
    const [record] = aiSdkUi.encode([answer([call("c1")]), result("c1", more)]);
    expect(record?.["parts"]).toEqual([start, part("c1", expected)]);
  });

  test("a message without an id gets one that stays the same", () => {
    const [first] = aiSdkUi.encode([{ role: "user", content: "Hi", timestamp: 1 }]);
    const [again] = aiSdkUi.encode([{ role: "user", content: "Hi", timestamp: 1 }]);
    expect(first?.["id"]).toMatch(/^msg_[0-9a-f]{16}$/);
    expect(again).toEqual(first);
  });

  test.each<[string, AgentMessage]>([
    ["a user message without parts", { role: "user", content: [], timestamp: 1 }],
    ["an answer that failed before any output", answer([], { stopReason: "error" })],
    ["a result without a call", result("c9")],
    ["a status", { role: "status", state: "busy", timestamp: 1 }],
  ])("%s leaves nothing", (_, message) => expect(aiSdkUi.encode([message])).toEqual([]));
});

describe("a call that is continued", () => {
  const requested = {
    id: "a1",
    role: "assistant",
    parts: [
      {
        type: "tool-read",
        toolCallId: "c1",
        state: "approval-requested",
        input: { path: "a.txt" },
        approval: { id: "p1" },
      },
    ],
  };

  test("keeps its approval while it has no result", () => {
    expect(aiSdkUi.encode(decoded(requested))).toEqual([requested]);
  });

  test("has the state of its result, without the open approval", () => {
    const [record] = aiSdkUi.encode([...decoded(requested), result("c1")]);
    expect(record?.["parts"]).toEqual([
      {
        type: "tool-read",
        toolCallId: "c1",
        state: "output-available",
        input: { path: "a.txt" },
        output: "Buy milk.",
      },
    ]);
  });
});

test("messages of AI SDK 4 are rewritten as AI SDK 6 reads them", () => {
  const record = {
    id: "a1",
    role: "assistant",
    content: "21 °C.",
    createdAt: "2025-03-01T10:00:04.000Z",
    toolInvocations: [
      { state: "result", toolCallId: "c1", toolName: "weather", args: { city: "Graz" }, result: 21 },
    ],
  };
  expect(aiSdkUi.mend?.(record)).toEqual({
    records: [
      {
        id: "a1",
        role: "assistant",
        metadata: { createdAt: "2025-03-01T10:00:04.000Z" },
        parts: [
          {
            type: "tool-weather",
            toolCallId: "c1",
            state: "output-available",
            input: { city: "Graz" },
            output: 21,
          },
          text("21 °C."),
        ],
      },
    ],
    changes: ["AI SDK 4 wrote the message; it was rewritten in the form of AI SDK 6."],
  });
});

describe("check", () => {
  const found = (record: Record<string, unknown>) =>
    aiSdkUi.check?.([record]).map(({ at, code, severity }) => `${severity} ${at} ${code}`);
  const tool = (more: object) => ({
    id: "a1",
    role: "assistant",
    parts: [{ type: "tool-read", toolCallId: "c1", input: {}, ...more }],
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["a question", { id: "u1", role: "user", parts: [text("Hi")] }, []],
    ["an answer without parts", { id: "a1", role: "assistant", parts: [] }, []],
    ["data", { id: "a1", role: "assistant", parts: [{ type: "data-x", data: 1 }] }, []],
    [
      "a granted call",
      tool({ state: "output-available", output: 1, approval: { id: "p", approved: true } }),
      [],
    ],
    ["no id", { role: "user", parts: [text("Hi")] }, ["error /0 ai-sdk-ui/no-id"]],
    [
      "a question without parts",
      { id: "u1", role: "user", parts: [] },
      ["error /0/parts ai-sdk-ui/no-parts"],
    ],
    ["AI SDK 4", { id: "u1", role: "user", content: "Hi" }, ["warning /0 ai-sdk-ui/version-4"]],
    ["no part", { id: "u1", role: "user", parts: ["Hi"] }, ["error /0/parts/0 ai-sdk-ui/no-part"]],
    [
      "an unknown part",
      { id: "u1", role: "user", parts: [{ type: "x" }] },
      ["error /0/parts/0 ai-sdk-ui/unknown-part"],
    ],
    ["an unknown state", tool({ state: "done" }), ["error /0/parts/0 ai-sdk-ui/tool-part"]],
    [
      "a denied call that was approved",
      tool({ state: "output-denied", approval: { id: "p", approved: true } }),
      ["error /0/parts/0/approval ai-sdk-ui/approval"],
    ],
    [
      "a request without an approval",
      tool({ state: "approval-requested" }),
      ["error /0/parts/0 ai-sdk-ui/approval"],
    ],
  ])("%s", (_, record, expected) => expect(found(record)).toEqual(expected));
});

describe("a file with a relative URL", () => {
  const file = { type: "file", mediaType: "image/png", url: "/files/cat.png" };

  test("of another dialect is left out", () => {
    const content = [
      { type: "text" as const, text: "Look." },
      { type: "image" as const, url: "/files/cat.png", mimeType: "image/png" },
      { type: "image" as const, url: "https://example.com/cat.png", mimeType: "image/png" },
    ];
    const records = aiSdkUi.encode([{ role: "user", id: "u1", content, timestamp: 1 }]);
    expect(records[0]?.["parts"]).toEqual([
      text("Look."),
      { type: "file", mediaType: "image/png", url: "https://example.com/cat.png" },
    ]);
  });

  test("is written as it was read", () => {
    const record = { id: "u1", role: "user", parts: [file] };
    expect(aiSdkUi.encode(decoded(record))).toEqual([record]);
  });
});

describe("detect", () => {
  const score = (document: unknown) => aiSdkUi.detect({ lines: [], document });
  test.each<[string, unknown, number]>([
    ["parts", [{ id: "u1", role: "user", parts: [text("Hi")] }], 0.95],
    ["AI SDK 4 with calls", [{ id: "a1", role: "assistant", content: "", toolInvocations: [] }], 0.95],
    ["plain messages with ids", [{ id: "u1", role: "user", content: "Hi" }], 0.5],
    ["Gemini's contents", [{ role: "user", parts: [{ text: "Hi" }] }], 0],
    ["OpenAI's call", [{ id: "a1", role: "assistant", content: "", tool_calls: [] }], 0],
    ["messages without ids", [{ role: "user", content: "Hi" }], 0],
    ["model messages", [{ role: "tool", content: [] }], 0],
    ["an empty array", [], 0.2],
    ["an object", { messages: [] }, 0],
  ])("%s", (_, document, expected) => expect(score(document)).toBe(expected));
});
