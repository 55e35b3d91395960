import { describe, expect, test } from "vitest";
import { validateRequest } from "../../../test/fakes/anthropic.js";
import { isAdaptive } from "../../core/api/claude-thinking.js";
import type { CallOptions, Context } from "../../core/api/provider.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, Loss } from "../../core/types.js";
import { anthropicApi } from "./index.js";

function write(context: Context, options: CallOptions = { cache: false }, model = "claude-opus-4-6") {
  const losses: Loss[] = [];
  const call = { model, context, options, stream: false };
  const body = anthropicApi.request(call, {}, (loss) => losses.push(loss));
  return { body, losses };
}

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

function answer(content: AssistantMessage["content"]): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-opus-4-6",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 1,
  };
}

function result(toolCallId: string, text: string): AgentMessage {
  const content = [{ type: "text" as const, text }];
  return { role: "toolResult", toolCallId, toolName: "f", content, isError: false, timestamp: 1 };
}

const MARK = { cache_control: { type: "ephemeral" } };
const tools = [
  { name: "f", description: "F", parameters: { type: "object" } },
  { name: "g", description: "", parameters: { type: "object" } },
];

test("results of one answer, and what the user says then, are one message", () => {
  const calls = ["a", "b"].map((id) => ({ type: "toolCall" as const, id, name: "f", arguments: { x: 1 } }));
  const messages = [user("go"), answer(calls), result("a", "1"), result("b", "2"), user("and?"), user("hm")];
  const { body, losses } = write({ messages, tools });
  expect(body).toEqual({
    model: "claude-opus-4-6",
    max_tokens: 32_000,
    messages: [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
          { type: "tool_use", id: "b", name: "f", input: { x: 1 } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "1" }] },
          { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "2" }] },
          { type: "text", text: "and?" },
        ],
      },
      { role: "user", content: "hm" },
    ],
    tools: [
      { name: "f", description: "F", input_schema: { type: "object" } },
      { name: "g", input_schema: { type: "object" } },
    ],
  });
  expect(losses).toEqual([]);
  expect(validateRequest(body)).toBeUndefined();
});

describe("the cache", () => {
  test("marks the system prompt, the last tool and the last block of the user", () => {
    const { body } = write(
      { systemPrompt: "S", messages: [user("a"), answer([{ type: "text", text: "b" }]), user("c")], tools },
      {},
    );
    expect(body).toMatchObject({
      system: [{ type: "text", text: "S", ...MARK }],
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: [{ type: "text", text: "b" }] },
        { role: "user", content: [{ type: "text", text: "c", ...MARK }] },
      ],
      tools: [{ name: "f" }, { name: "g", ...MARK }],
    });
    expect(validateRequest(body)).toBeUndefined();
  });

  test("leaves a request alone that has marks of its own", () => {
    const block = { type: "text" as const, text: "a", ext: { anthropic: { fields: MARK } } };
    const { body } = write(
      { systemPrompt: "S", messages: [{ role: "user", content: [block], timestamp: 1 }] },
      {},
    );
    expect(body["system"]).toBe("S");
    expect(body["messages"]).toEqual([{ role: "user", content: [{ type: "text", text: "a", ...MARK }] }]);
  });

  test("marks nothing that is empty, or of a kind it does not know", () => {
    const value = { type: "container_upload", file_id: "f" };
    const content = [{ type: "opaque" as const, dialect: "anthropic", value }];
    const { body } = write({ messages: [{ role: "user", content, timestamp: 1 }] }, {});
    expect(body["messages"]).toEqual([{ role: "user", content: [value] }]);
    expect(write({ systemPrompt: "", messages: [] }, {}).body["system"]).toEqual([
      { type: "text", text: "" },
    ]);
  });

  test("a body read and written again has the marks it had, and no others", () => {
    const body = { model: "m", max_tokens: 5, messages: [{ role: "user", content: "x" }] };
    expect(anthropicApi.request(anthropicApi.readRequest(body), {}, () => undefined)).toEqual(body);
  });
});

describe("thinking", () => {
  test.each([
    ["minimal", 5120, 1024],
    ["low", 6144, 2048],
    ["medium", 12_288, 8192],
    ["high", 20_480, 16_384],
  ] as const)("%s has its budget on top of the limit", (thinking, max_tokens, budget_tokens) => {
    const { body } = write({ messages: [user("x")] }, { thinking, maxTokens: 4096 });
    expect(body).toMatchObject({ max_tokens, thinking: { type: "enabled", budget_tokens } });
    expect(validateRequest(body)).toBeUndefined();
  });

  test.each([
    [{ budgetTokens: 2000 }, 9000, 9000, 2000],
    [{ budgetTokens: 9000 }, 2000, 11_000, 9000],
    [{ budgetTokens: 10 }, 2000, 2000, 1024],
    [{ budgetTokens: 10 }, 500, 1524, 1024],
  ])("a budget of %j within %d", (thinking, maxTokens, max_tokens, budget_tokens) => {
    const { body } = write({ messages: [user("x")] }, { thinking, maxTokens });
    expect(body).toMatchObject({ max_tokens, thinking: { type: "enabled", budget_tokens } });
    expect(validateRequest(body)).toBeUndefined();
  });

  test("off says nothing", () => {
    const { body } = write({ messages: [] }, { thinking: "off", temperature: 0.5, maxTokens: 9 });
    expect(body).toEqual({ model: "claude-opus-4-6", max_tokens: 9, temperature: 0.5, messages: [] });
  });

  test("goes before the temperature", () => {
    const { body, losses } = write({ messages: [user("x")] }, { thinking: "low", temperature: 0.5 });
    expect(body).not.toHaveProperty("temperature");
    expect(losses).toEqual([
      {
        at: "/options/temperature",
        what: "the temperature",
        why: "this API does not accept it together with thinking",
        severity: "dropped",
      },
    ]);
  });

  test("is given up for a forced tool", () => {
    const { body, losses } = write(
      { messages: [user("x")], tools },
      { thinking: "low", toolChoice: { name: "f" } },
    );
    expect(body).toMatchObject({ max_tokens: 32_000, tool_choice: { type: "tool", name: "f" } });
    expect(body).not.toHaveProperty("thinking");
    expect(losses.map(({ at }) => at)).toEqual(["/options/thinking"]);
    expect(validateRequest(body)).toBeUndefined();
  });
});

describe("models that take no budget", () => {
  test.each([
    ["minimal", 5120, "low"],
    ["medium", 12_288, "medium"],
    [{ budgetTokens: 9000 }, 13_096, "high"],
  ] as const)("%j is an effort", (thinking, max_tokens, effort) => {
    const { body } = write({ messages: [user("x")] }, { thinking, maxTokens: 4096 }, "claude-opus-4-8");
    expect(body).toMatchObject({ max_tokens, thinking: { type: "adaptive" }, output_config: { effort } });
    expect(validateRequest(body)).toBeUndefined();
  });

  test("take no temperature either", () => {
    const { body, losses } = write({ messages: [user("x")] }, { temperature: 0 }, "claude-sonnet-5");
    expect(body).not.toHaveProperty("temperature");
    expect(losses.map(({ at }) => at)).toEqual(["/options/temperature"]);
    expect(validateRequest(body)).toBeUndefined();
  });

  test("a body for one is written again as it was, whatever it says", () => {
    const thinking = { type: "enabled", budget_tokens: 2000 };
    const body = { model: "claude-fable-5", max_tokens: 5000, temperature: 1, thinking, messages: [] };
    expect(anthropicApi.request(anthropicApi.readRequest(body), {}, () => undefined)).toEqual(body);
  });

  test.each([
    ["claude-opus-4-7", true],
    ["claude-sonnet-5", true],
    ["anthropic/claude-opus-4.8", true],
    ["us.anthropic.claude-fable-5-v1:0", true],
    ["claude-opus-4-6", false],
    ["claude-sonnet-4-5-20250929", false],
    ["claude-opus-4-20250514", false],
    ["claude-3-5-sonnet-20241022", false],
    ["kimi-k2", false],
  ])("%s: %s", (model, expected) => expect(isAdaptive(model)).toBe(expected));

  test("a server may know better", () => {
    expect(isAdaptive("claude-opus-4-6", { adaptiveThinking: true })).toBe(true);
    expect(isAdaptive("claude-opus-4-8", { adaptiveThinking: false })).toBe(false);
  });
});

test.each([
  ["auto", { type: "auto" }],
  ["any", { type: "any" }],
  ["none", { type: "none" }],
] as const)("the choice %s", (toolChoice, expected) => {
  expect(write({ messages: [], tools }, { toolChoice }).body["tool_choice"]).toEqual(expected);
});

test("a choice without tools is not sent", () => {
  const { body, losses } = write({ messages: [] }, { toolChoice: "any" });
  expect(body).not.toHaveProperty("tool_choice");
  expect(losses.map(({ at }) => at)).toEqual(["/options/toolChoice"]);
});

test("tools of the provider's own are added to the tools", () => {
  const tools = [{ name: "f", description: "", parameters: {} }];
  const own = { type: "web_search_20250305", name: "web_search" };
  const { body } = write({ messages: [user("x")], tools }, { extra: { tools: [own] }, cache: false });
  expect(body["tools"]).toEqual([{ name: "f", input_schema: {} }, own]);
  expect(write({ messages: [user("x")] }, { extra: { tools: [own] }, cache: false }).body["tools"]).toEqual([
    own,
  ]);
});

test("fields of the provider's own are written as they are", () => {
  expect(write({ messages: [] }, { extra: { top_k: 3, max_tokens: 7 } }).body).toMatchObject({
    top_k: 3,
    max_tokens: 7,
  });
});

test("what a user cannot send is left out and reported", () => {
  const content = [
    { type: "text" as const, text: "see" },
    { type: "audio" as const, data: "AAAA", mimeType: "audio/wav" },
    { type: "file" as const, data: "UEs=", mimeType: "application/zip" },
    { type: "file" as const, data: "IyBI", mimeType: "text/markdown", name: "h.md" },
  ];
  const { body, losses } = write({ messages: [{ role: "user", content, timestamp: 1 }] });
  expect(body["messages"]).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "see" },
        { type: "document", source: { type: "text", media_type: "text/plain", data: "# H" }, title: "h.md" },
      ],
    },
  ]);
  expect(losses.map(({ at, what }) => [at, what])).toEqual([
    ["/messages/0/content/1", "the audio"],
    ["/messages/0/content/2", "the file"],
  ]);
});

test("a prompt that was changed is written as one text", () => {
  const call = anthropicApi.readRequest({
    model: "m",
    max_tokens: 1,
    system: [
      { type: "text", text: "One." },
      { type: "text", text: "Two.", ...MARK },
    ],
    messages: [],
  });
  expect(call.context.systemPrompt).toBe("One.\n\nTwo.");
  call.context.systemPrompt = "Another.";
  expect(anthropicApi.request(call, {}, () => undefined)["system"]).toBe("Another.");
});
