import { describe, expect, test } from "vitest";
import { emptyUsage } from "../core/message/usage.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage } from "../core/types.js";
import type { ApiName } from "../dialects/registry.js";
import { connect } from "./connect.js";

const answer = (...ids: string[]): AssistantMessage => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "toolCall", id, name: "read", arguments: {} })),
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 2,
});
const status: AgentMessage = { role: "status", state: "busy", timestamp: 0 };
const failed = (toolCallId: string): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "no" }],
  isError: true,
  timestamp: 3,
});

test("what an API cannot say is reported of the message in the context, not of the one that is sent", async () => {
  const model = connect("local/m", { api: "openai-chat", baseUrl: "http://127.0.0.1:9", apiKey: "k" });
  const { losses } = await model.preview({
    messages: [status, status, answer("c1"), answer("c2"), failed("c2")],
  });
  expect(losses.map(({ at, what }) => `${at} ${what}`)).toEqual([
    '/messages/2 a result for the call "c1"',
    "/messages/2/isError the result's error flag",
    "/messages/4/isError the result's error flag",
  ]);
});

test("and of the block in the context, though blocks before it were left out", async () => {
  const model = connect("local/m", { api: "openai-chat", baseUrl: "http://127.0.0.1:9", apiKey: "k" });
  const called: AgentMessage = {
    ...answer(),
    content: [
      { type: "text", text: " " },
      { type: "toolCall", id: "", name: "read it", arguments: {} },
      { type: "toolCall", id: "c".repeat(41), name: "read", arguments: {} },
    ],
  };
  const shown: AgentMessage = {
    role: "toolResult",
    toolCallId: "",
    toolName: "read it",
    content: [
      { type: "text", text: "" },
      { type: "text", text: "A picture:" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
    ],
    isError: false,
    timestamp: 3,
  };
  const { losses } = await model.preview({ messages: [called, shown, failed("c".repeat(41))] });
  expect(losses.map(({ at, what }) => `${at} ${what}`)).toEqual([
    "/messages/0/content/0 a blank text block",
    "/messages/1/content/0 a blank text block",
    "/messages/0/content/1/id an empty tool id",
    '/messages/0/content/1/name the tool name "read it"',
    `/messages/0/content/2/id the tool id "${"c".repeat(41)}"`,
    "/messages/1/content/2 the position of an image",
    "/messages/2/isError the result's error flag",
  ]);
});

describe.each<ApiName>(["anthropic", "openai-chat", "openai-responses", "google", "ollama"])(
  "half a character is sent nowhere: %s",
  (api) => {
    test("not in the prompt, the tools, what was thought, the arguments and the results", async () => {
      const model = connect("local/m", { api, baseUrl: "http://127.0.0.1:9", apiKey: "k" });
      const half = "a\ud83db";
      const { request, losses } = await model.preview({
        systemPrompt: half,
        tools: [{ name: "read", description: half, parameters: { type: "object", title: half } }],
        messages: [
          { role: "user", content: `${half}😀`, timestamp: 1 },
          {
            ...answer(),
            content: [
              { type: "thinking", thinking: half },
              { type: "toolCall", id: "c1", name: "read", arguments: { [half]: [{ path: half }] } },
            ],
          },
          { ...failed("c1"), isError: false, content: [{ type: "text", text: half }] },
        ],
      });
      const sent = JSON.stringify(request);
      expect(sent).not.toMatch(/\\ud[89a-f]/i);
      expect(sent).toContain("ab😀");
      const halves = losses.filter(({ what }) => what === "half a character").map(({ at }) => at);
      expect(halves).toEqual([
        "/systemPrompt",
        "/tools/0/description",
        "/tools/0/parameters",
        "/messages/0/content/0",
        "/messages/1/content/0",
        "/messages/1/content/1/arguments",
        "/messages/2/content/0",
      ]);
    });
  },
);

test("what a connector is given is previewed, and is what every model is shown", async () => {
  const system: AgentMessage = { role: "system", content: "Be brief.", timestamp: 1 };
  const hi: AgentMessage = { role: "user", content: "Hi", timestamp: 2 };
  const added = { role: "note", text: "n", timestamp: 3 } as const;
  const losses: unknown[] = [];
  const model = connect("demo/echo");
  const context = { systemPrompt: "S", messages: [system, hi, status, added, system] };
  expect(await model.preview(context, { maxTokens: 9 })).toEqual({
    request: {
      systemPrompt: "S\n\nBe brief.",
      messages: [hi, { role: "user", content: "Be brief.", timestamp: 1 }],
      maxTokens: 9,
    },
    losses: [
      {
        at: "/messages/3",
        what: 'a message with the role "note"',
        why: "a model is shown no messages of a role that a program added",
        severity: "dropped",
      },
      {
        at: "/messages/4",
        what: "a system message mid-conversation",
        why: "the API has system text only in the prompt; it is sent as a user message, with a user's authority",
        severity: "approximated",
      },
    ],
  });
  await model.complete(context, { onLosses: (all) => losses.push(...all.map(({ at }) => at)) });
  expect(losses).toEqual(["/messages/3", "/messages/4"]);
});

test.each(["constructor/m", "__proto__/m", "acme/m"])("%s is of no provider", async (name) => {
  await expect(connect(name).complete({ messages: [] })).rejects.toMatchObject({
    code: "provider/unknown",
    hint: "known providers are anthropic, openai, google, bedrock, vertex, vertex-anthropic, azure, cerebras, deepseek, fireworks, groq, mistral, moonshot, openrouter, together, xai, zai, ollama, lmstudio, llamacpp, vllm and demo; others need a baseUrl",
  });
});

test("a token in ANTHROPIC_AUTH_TOKEN is a bearer's, a key is not", async () => {
  const headersWith = async (env: Record<string, string>, apiKey?: string) => {
    const asked: unknown[] = [];
    const model = connect("anthropic/m", {
      ...(apiKey === undefined ? {} : { apiKey }),
      world: { env: (name) => env[name] },
      fetch: async (_, { headers }) => {
        asked.push(headers);
        return new Response("", { status: 400 });
      },
    });
    await expect(model.complete({ messages: [{ role: "user", content: "Hi" }] })).rejects.toMatchObject({
      code: "provider/http",
    });
    return asked[0];
  };
  const always = { "content-type": "application/json", "anthropic-version": "2023-06-01" };
  const token = { ANTHROPIC_AUTH_TOKEN: "t" };
  expect(await headersWith(token)).toEqual({ ...always, authorization: "Bearer t" });
  expect(await headersWith({ ...token, ANTHROPIC_API_KEY: "k" })).toEqual({ ...always, "x-api-key": "k" });
  expect(await headersWith(token, "k")).toEqual({ ...always, "x-api-key": "k" });
});

test("what is spoken to a model: its provider's API, and our own names to what runs here", () => {
  const named = (name: string, api?: ApiName) => connect(name, api === undefined ? {} : { api }).api;
  expect([
    named("openai/gpt-5.5"),
    named("openai/gpt-5.5", "openai-chat"),
    named("acme/m"),
    named("demo/echo"),
  ]).toEqual(["openai-responses", "openai-chat", "openai-chat", undefined]);
});

describe("what a caller can change", () => {
  const body =
    '{"message":{"role":"assistant","content":"hi"},"done":true,"done_reason":"stop","prompt_eval_count":3}\n';
  const context = { messages: [{ role: "user" as const, content: "hi", timestamp: 1 }] };

  test("and before the answer begins it is told what the request does not say", async () => {
    const told: string[] = [];
    const model = connect("ollama/qwen3:8b", { fetch: async () => new Response(body) });
    const messages = [...context.messages, answer("c1"), failed("c1"), ...context.messages];
    const onLosses = (losses: readonly { what: string }[]) => told.push(...losses.map(({ what }) => what));
    for await (const { type } of model.stream({ messages }, { onLosses })) told.push(type);
    expect(told.slice(0, 2)).toEqual(["the error flag", "start"]);
  });

  test("the address, the headers, the body and fetch itself", async () => {
    const asked: unknown[] = [];
    const model = connect("ollama/qwen3:8b", {
      baseUrl: "http://models.test/",
      headers: { "X-Team": "a", "content-type": null },
      onRequest: (request) => ({ ...request, keep_alive: "1h" }),
      fetch: async (url, { headers, body: sent }) => {
        asked.push({ url, headers, body: JSON.parse(String(sent)) });
        return new Response(body);
      },
    });
    expect((await model.complete(context)).content).toEqual([{ type: "text", text: "hi" }]);
    expect(asked).toEqual([
      {
        url: "http://models.test/api/chat",
        headers: { "x-team": "a" },
        body: {
          model: "qwen3:8b",
          messages: [{ role: "user", content: "hi" }],
          stream: true,
          keep_alive: "1h",
        },
      },
    ]);
  });

  test("the flags of a server", async () => {
    const model = connect("local/m", {
      baseUrl: "http://x.test",
      apiKey: "k",
      flags: { systemRole: "developer" },
    });
    const { request } = await model.preview({ ...context, systemPrompt: "S" });
    expect(request["messages"]).toEqual([
      { role: "developer", content: "S" },
      { role: "user", content: "hi" },
    ]);
  });

  test("messages without times, or with null for content, are understood", async () => {
    const model = connect("local/m", { baseUrl: "http://x.test", apiKey: "k" });
    const given: unknown[] = [
      { role: "user", content: "hi" },
      { role: "assistant", content: null },
      { role: "user", content: "there?" },
    ];
    const { request } = await model.preview({ messages: given as AgentMessage[] });
    expect(request["messages"]).toEqual([
      { role: "user", content: "hi" },
      { role: "user", content: "there?" },
    ]);
  });
});

describe("tokens beyond the window", () => {
  const answerOf = (usage: object) =>
    connect("local/m", {
      api: "anthropic",
      baseUrl: "http://x.test",
      apiKey: "k",
      card: { contextWindow: 10 },
      fetch: async () =>
        new Response(
          `data: ${JSON.stringify({ type: "message_start", message: { content: [], usage } })}\n\n` +
            'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\ndata: {"type":"message_stop"}\n\n',
        ),
    }).complete({ messages: [{ role: "user", content: "hi", timestamp: 1 }] });

  test("those from the cache count", async () => {
    expect((await answerOf({ input_tokens: 6, cache_read_input_tokens: 5 })).ext).toMatchObject({
      failure: { code: "provider/context-overflow" },
    });
    expect(
      (await answerOf({ input_tokens: 5, cache_read_input_tokens: 5 })).ext?.["failure"],
    ).toBeUndefined();
  });
});

test.each([
  ["Overloaded", "provider/failed"],
  ["prompt is too long: 9 tokens > 8 maximum", "provider/context-overflow"],
])("an error in mid-stream, %s, is %s", async (message, code) => {
  const model = connect("local/m", {
    api: "anthropic",
    baseUrl: "http://x.test",
    apiKey: "k",
    fetch: async () =>
      new Response(
        `data: {"type":"message_start","message":{"content":[]}}\n\ndata: ${JSON.stringify({ type: "error", error: { message } })}\n\n`,
      ),
  });
  const answered = await model.complete({ messages: [{ role: "user", content: "hi", timestamp: 1 }] });
  expect(answered).toMatchObject({ stopReason: "error", errorMessage: message, ext: { failure: { code } } });
});

describe("thinking goes back to the model that thought it", () => {
  const thought = (api: string, thinkingSignature?: string): AgentMessage => ({
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", ...(thinkingSignature === undefined ? {} : { thinkingSignature }) },
      { type: "text", text: "x" },
    ],
    api,
    provider: "local",
    model: "m",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp: 2,
  });
  const item = '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"}';
  test.each<[ApiName, AgentMessage, string, unknown]>([
    [
      "openai-chat",
      thought("openai-completions"),
      "messages",
      [{ role: "assistant", content: "x", reasoning_content: "hm" }],
    ],
    ["ollama", thought("ollama-chat"), "messages", [{ role: "assistant", content: "x", thinking: "hm" }]],
    [
      "openai-responses",
      thought("openai-responses", item),
      "input",
      [JSON.parse(item), { role: "assistant", content: "x" }],
    ],
    [
      "openai-responses",
      thought("openai-responses", "not an item"),
      "input",
      [
        { role: "assistant", content: "hm\n\n" },
        { role: "assistant", content: "x" },
      ],
    ],
  ])("%s", async (api, message, field, expected) => {
    const model = connect("local/m", { api, baseUrl: "http://x.test", apiKey: "k" });
    expect((await model.preview({ messages: [message] })).request[field]).toEqual(expected);
  });
});
