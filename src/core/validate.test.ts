import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { is, mismatches, parse } from "./validate.js";

const examples: Record<string, unknown> = JSON.parse(
  readFileSync(new URL("fixtures/message-format.json", import.meta.url), "utf8"),
);

const usage = {
  input: 1,
  output: 2,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 3,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const assistant = {
  role: "assistant",
  content: [{ type: "text", text: "hi" }],
  api: "a",
  provider: "p",
  model: "m",
  usage,
  stopReason: "stop",
  timestamp: 1,
};

describe("the examples of the message format", () => {
  test.each(Object.entries(examples))("%s", (_, example) => {
    expect(mismatches("AgentMessage", example)).toEqual([]);
  });
  test("there are ten of them", () => expect(Object.keys(examples)).toHaveLength(10));
});

describe("what is accepted", () => {
  test.each([
    ["unknown fields", { role: "user", content: "x", timestamp: 1, platform: { a: 1 } }],
    ["a role somebody else declared", { role: "note", text: "x" }],
    [
      "an image by URL",
      { role: "user", content: [{ type: "image", url: "https://x.test/a.png" }], timestamp: 1 },
    ],
    [
      "an opaque block",
      { ...assistant, content: [{ type: "opaque", dialect: "anthropic", value: { type: "x" } }] },
    ],
    ["a root of a tree", { role: "user", content: "x", timestamp: 1, id: "a", parentId: null }],
    ["a status", { role: "status", state: "searching", timestamp: 1 }],
    ["an error", { role: "error", content: "no", code: "x", recoverable: true, timestamp: 1 }],
    ["a finished sub-agent", { role: "agentComplete", agentId: "x", result: { a: 1 }, timestamp: 1 }],
    ["a message between agents", { role: "agentMessage", senderId: "x", payload: "y", timestamp: 1 }],
    ["a compaction", { role: "compaction", summary: "x", firstKeptId: "a", timestamp: 1 }],
    ["a session line", { role: "session", key: "agent:main:main", agent: "main", timestamp: 1 }],
    ["a system prompt", { role: "system", content: "x", timestamp: 1 }],
    ["a custom message", { role: "custom", customType: "x/y", data: [1], timestamp: 1 }],
  ])("%s", (_, value) => expect(mismatches("AgentMessage", value)).toEqual([]));
});

describe("what is refused, where, and why", () => {
  test.each([
    ["no object", 3, [{ at: "", expected: "object", found: "3" }]],
    ["no role", {}, [{ at: "", expected: 'a property "role"', found: "an object with no properties" }]],
    [
      "an ext of a wrong kind, also in a role somebody else declared",
      { role: "note", ext: { synthesised: 5 } },
      [{ at: "/ext/synthesised", expected: "array", found: "5" }],
    ],
    [
      "content of a wrong kind",
      { role: "user", content: 7, timestamp: 1 },
      [{ at: "/content", expected: "string or array", found: "7" }],
    ],
    [
      "a wrong field in one block: only that block is reported",
      { role: "user", content: [{ type: "text", text: 1 }], timestamp: 1 },
      [{ at: "/content/0/text", expected: "string", found: "1" }],
    ],
    [
      "an unknown block",
      { ...assistant, content: [{ type: "tool_use" }] },
      [{ at: "/content/0", expected: 'a known "type"', found: "an object with type" }],
    ],
    [
      "an image without bytes",
      { role: "user", content: [{ type: "image", mimeType: "image/png" }], timestamp: 1 },
      [
        {
          at: "/content/0",
          expected: 'a property "data" or a property "url"',
          found: "an object with type, mimeType",
        },
      ],
    ],
    [
      "a stop reason nobody knows",
      { ...assistant, stopReason: "tired" },
      [
        {
          at: "/stopReason",
          expected: '"stop" or "length" or "toolUse" or "error" or "aborted"',
          found: '"tired"',
        },
      ],
    ],
    [
      "two problems, both named",
      { role: "toolResult", toolCallId: 1, toolName: "x", content: [], timestamp: 1 },
      [
        {
          at: "",
          expected: 'a property "isError"',
          found: "an object with role, toolCallId, toolName, content, timestamp",
        },
        { at: "/toolCallId", expected: "string", found: "1" },
      ],
    ],
  ])("%s", (_, value, expected) => expect(mismatches("AgentMessage", value)).toEqual(expected));

  test("parse throws with the place", () => {
    expect(() => parse("AgentMessage", { role: "user", content: "x" })).toThrow(
      expect.objectContaining({
        code: "model/invalid",
        at: "",
        hint: "see schemas/AgentMessage.json",
        message:
          'not a valid AgentMessage: expected a property "timestamp", found an object with role, content',
      }),
    );
  });
});

test("parse returns the value itself, unknown fields and all", () => {
  const value = { role: "user", content: "x", timestamp: 1, extra: { kept: true } };
  expect(parse("UserMessage", value)).toBe(value);
});

test("a key named __proto__ is data", () => {
  const value: unknown = JSON.parse(
    '{"role":"user","content":"x","timestamp":1,"__proto__":{"role":"system"}}',
  );
  expect(is("UserMessage", value)).toBe(true);
  expect(is("SystemMessage", value)).toBe(false);
});

describe("events", () => {
  test.each([
    ["AssistantMessageEvent", { type: "start", partial: assistant }],
    ["AssistantMessageEvent", { type: "text_delta", contentIndex: 0, delta: "x" }],
    ["AssistantMessageEvent", { type: "text_delta", contentIndex: 0, delta: "x", partial: assistant }],
    [
      "AssistantMessageEvent",
      {
        type: "toolcall_end",
        contentIndex: 0,
        toolCall: { type: "toolCall", id: "a", name: "b", arguments: {} },
      },
    ],
    ["AssistantMessageEvent", { type: "done", reason: "stop", message: assistant }],
    ["AssistantMessageEvent", { type: "error", reason: "aborted", error: assistant }],
    ["AgentEvent", { type: "agent_start" }],
    ["AgentEvent", { type: "agent_end", messages: [assistant] }],
    ["AgentEvent", { type: "turn_end", message: assistant, toolResults: [] }],
    ["AgentEvent", { type: "tool_execution_start", toolCallId: "a", toolName: "b", args: {} }],
    ["AgentEvent", { type: "tool_execution_end", toolCallId: "a", toolName: "b", result: 1, isError: false }],
    [
      "AgentEvent",
      {
        type: "message_update",
        message: assistant,
        assistantMessageEvent: { type: "text_start", contentIndex: 0 },
      },
    ],
    ["ReplyPayload", { text: "x", mediaUrls: ["a"], replyToId: "1", isError: false }],
    ["Loss", { at: "/0", what: "usage", why: "no place for it", severity: "dropped" }],
    ["Conversation", { messages: [assistant], leafId: "x" }],
  ] as const)("%s accepts %j", (name, value) => expect(mismatches(name, value)).toEqual([]));

  test.each([
    ["AssistantMessageEvent", { type: "text_delta", contentIndex: 0 }, "", 'a property "delta"'],
    [
      "AssistantMessageEvent",
      { type: "done", reason: "stop", message: { role: "user" } },
      "/message",
      'a property "content"',
    ],
    [
      "AgentEvent",
      { type: "agent_end", messages: [{ role: "user" }] },
      "/messages/0",
      'a property "content"',
    ],
    ["ReplyPayload", { text: 1 }, "/text", "string"],
  ] as const)("%s refuses %j", (name, value, at, expected) =>
    expect(mismatches(name, value)[0]).toMatchObject({ at, expected }),
  );
});
