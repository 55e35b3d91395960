import { describe, expect, test } from "vitest";
import type { AgentMessage, ToolResultMessage, UserContent } from "../../core/types.js";
import { aiSdk } from "./index.js";

const text = (words: string) => ({ type: "text" as const, text: words });

function result(toolCallId: string, more: Partial<ToolResultMessage> = {}): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [text("Buy milk.")],
    isError: false,
    timestamp: 6,
    ...more,
  };
}

describe("a result is written as", () => {
  const image: UserContent = { type: "image", data: "AAAA", mimeType: "image/png" };
  test.each<[string, Partial<ToolResultMessage>, object]>([
    ["text", {}, { type: "text", value: "Buy milk." }],
    ["an error", { isError: true }, { type: "error-text", value: "Buy milk." }],
    [
      "JSON that the text repeats",
      { content: [text('{"n":1}')], details: { n: 1 } },
      { type: "json", value: { n: 1 } },
    ],
    [
      "a JSON error",
      { content: [text("[1]")], details: [1], isError: true },
      { type: "error-json", value: [1] },
    ],
    [
      "a list of parts",
      { content: [text("Here."), image, { type: "image", url: "https://example.test/a.png" }] },
      {
        type: "content",
        value: [
          text("Here."),
          { type: "image-data", data: "AAAA", mediaType: "image/png" },
          { type: "image-url", url: "https://example.test/a.png" },
        ],
      },
    ],
    [
      "a list, if an error has a picture",
      { content: [image], isError: true },
      { type: "content", value: [{ type: "image-data", data: "AAAA", mediaType: "image/png" }] },
    ],
  ])("%s", (_, more, output) => {
    expect(aiSdk.encode([result("c1", more)])).toEqual([
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName: "read", output }] },
    ]);
  });
});

test("consecutive results are one message", () => {
  expect(aiSdk.joinsMessage(result("c1"), result("c2"), result("c1"))).toBe(true);
  const [record, ...others] = aiSdk.encode([result("c1"), result("c2")]);
  expect(others).toEqual([]);
  expect(record).toMatchObject({ role: "tool", content: [{ toolCallId: "c1" }, { toolCallId: "c2" }] });
});

test("an approval is an entry that models are not shown", () => {
  const response = { type: "tool-approval-response", approvalId: "p1", approved: true };
  const record = { role: "tool", content: [response] };
  const messages = aiSdk.decode([record]).map(({ message }) => message);
  expect(messages).toEqual([
    {
      role: "custom",
      customType: "ai-sdk/tool-part",
      data: response,
      timestamp: 0,
      ext: { synthesised: ["/timestamp"] },
    },
  ]);
  expect(aiSdk.encode(messages)).toEqual([record]);
});

test.each<[string, AgentMessage]>([
  ["a user message without parts", { role: "user", content: [], timestamp: 1 }],
  ["a session", { role: "session", timestamp: 1 }],
  ["another program's entry", { role: "custom", customType: "mood", data: 1, timestamp: 1 }],
])("%s leaves nothing", (_, message) => expect(aiSdk.encode([message])).toEqual([]));

describe("check", () => {
  const found = (record: Record<string, unknown>) =>
    aiSdk.check?.([record]).map(({ at, code }) => `${at} ${code}`);
  const call = { type: "tool-call", toolCallId: "c1", toolName: "read" };
  test.each<[string, Record<string, unknown>, string[]]>([
    ["a question", { role: "user", content: "Hi" }, []],
    ["a call", { role: "assistant", content: [{ ...call, input: {} }] }, []],
    [
      "a call of AI SDK 4",
      { role: "assistant", content: [{ ...call, args: {} }] },
      ["/0/content/0/args ai-sdk/no-input"],
    ],
    ["a call without input", { role: "assistant", content: [call] }, ["/0/content/0 ai-sdk/no-input"]],
    ["a user who calls", { role: "user", content: [call] }, ["/0/content/0/type ai-sdk/part-type"]],
    ["no part", { role: "tool", content: ["done"] }, ["/0/content/0 ai-sdk/no-part"]],
    [
      "an output without a type",
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c1", toolName: "read", output: "done" }],
      },
      ["/0/content/0/output ai-sdk/output"],
    ],
  ])("%s", (_, record, expected) => expect(found(record)).toEqual(expected));
});

describe("detect", () => {
  const score = (document: unknown) => aiSdk.detect({ lines: [], document });
  test.each<[string, unknown, number]>([
    ["a call", [{ role: "assistant", content: [{ type: "tool-call" }] }], 0.95],
    ["provider options", [{ role: "user", content: "Hi", providerOptions: {} }], 0.95],
    ["reasoning", [{ role: "assistant", content: [{ type: "reasoning", text: "Hm." }] }], 0.95],
    ["plain messages", [{ role: "user", content: "Hi" }], 0.4],
    ["Anthropic's call", [{ role: "assistant", content: [{ type: "tool_use" }] }], 0],
    ["UI messages", [{ role: "user", parts: [] }], 0],
    ["OpenAI's tool message", [{ role: "tool", tool_call_id: "c", content: "x" }], 0],
    ["an object", { messages: [] }, 0],
  ])("%s", (_, document, expected) => expect(score(document)).toBe(expected));
});

test("a file with a relative URL is left out, because it would be read as the file's bytes", () => {
  const content: UserContent[] = [text("Look."), { type: "image", url: "/files/cat.png" }];
  expect(aiSdk.encode([{ role: "user", content, timestamp: 1 }])).toEqual([
    { role: "user", content: [text("Look.")] },
  ]);
});
