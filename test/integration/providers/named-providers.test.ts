import { describe, expect, test } from "vitest";
import type { AssistantMessage } from "../../../src/core/types.js";
import type { ContextInput } from "../../../src/providers/accept.js";
import { connect } from "../../../src/providers/connect.js";
import { endpoints } from "../../../src/providers/endpoints.js";
import { compatibleServer, type ServerRules } from "../../fakes/compatible-server.js";

interface Row extends ServerRules {
  name: string;
  env?: Record<string, string>;
}

const bearer = { header: "authorization", value: "Bearer KEY" };
const limit = { refuses: ["max_completion_tokens", "store"] };

/** What each of them is like, from its documentation and from what clients ran into. */
const rows: Row[] = [
  {
    name: "azure",
    url: "https://r.openai.azure.com/openai/v1/chat/completions",
    env: { AZURE_OPENAI_RESOURCE_NAME: "r", AZURE_OPENAI_API_KEY: "KEY" },
    key: { header: "api-key", value: "KEY" },
    answerFields: ["reasoning_content"],
  },
  {
    name: "cerebras",
    url: "https://api.cerebras.ai/v1/chat/completions",
    env: { CEREBRAS_API_KEY: "KEY" },
    key: bearer,
    refuses: ["max_tokens", "store"],
    answerFields: ["reasoning"],
  },
  {
    name: "deepseek",
    url: "https://api.deepseek.com/chat/completions",
    env: { DEEPSEEK_API_KEY: "KEY" },
    key: bearer,
    ...limit,
    answerFields: ["reasoning_content"],
  },
  {
    name: "fireworks",
    url: "https://api.fireworks.ai/inference/v1/chat/completions",
    env: { FIREWORKS_API_KEY: "KEY" },
    key: bearer,
    ...limit,
    answerFields: ["reasoning_content"],
  },
  {
    name: "groq",
    url: "https://api.groq.com/openai/v1/chat/completions",
    env: { GROQ_API_KEY: "KEY" },
    key: bearer,
    refuses: ["store"],
    answerFields: ["reasoning"],
  },
  {
    name: "mistral",
    url: "https://api.mistral.ai/v1/chat/completions",
    env: { MISTRAL_API_KEY: "KEY" },
    key: bearer,
    refuses: ["max_completion_tokens", "store", "stream_options"],
    thinkingParts: true,
    callId: /^[A-Za-z0-9]{9}$/,
    acceptsEmptyTools: false,
  },
  {
    name: "moonshot",
    url: "https://api.moonshot.ai/v1/chat/completions",
    env: { MOONSHOT_API_KEY: "KEY" },
    key: bearer,
    ...limit,
    answerFields: ["reasoning_content"],
  },
  {
    name: "openrouter",
    url: "https://openrouter.ai/api/v1/chat/completions",
    env: { OPENROUTER_API_KEY: "KEY" },
    key: bearer,
    ...limit,
    answerFields: ["reasoning"],
  },
  {
    name: "together",
    url: "https://api.together.xyz/v1/chat/completions",
    env: { TOGETHER_API_KEY: "KEY" },
    key: bearer,
    ...limit,
    answerFields: ["reasoning_content"],
  },
  {
    name: "xai",
    url: "https://api.x.ai/v1/chat/completions",
    env: { XAI_API_KEY: "KEY" },
    key: bearer,
    refuses: ["store"],
    answerFields: ["reasoning_content"],
  },
  {
    name: "zai",
    url: "https://api.z.ai/api/paas/v4/chat/completions",
    env: { ZAI_API_KEY: "KEY" },
    key: bearer,
    ...limit,
    answerFields: ["reasoning_content"],
  },
  {
    name: "lmstudio",
    url: "http://127.0.0.1:1234/v1/chat/completions",
    ...limit,
    answerFields: ["reasoning_content"],
  },
  {
    name: "llamacpp",
    url: "http://127.0.0.1:8080/v1/chat/completions",
    ...limit,
    answerFields: ["reasoning_content"],
  },
  {
    name: "vllm",
    url: "http://127.0.0.1:8000/v1/chat/completions",
    ...limit,
    answerFields: ["reasoning_content"],
  },
];

const usage = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 2,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** A conversation that the same model has thought and called a tool in, with an id of another provider. */
function history(provider: string): ContextInput {
  const answer: AssistantMessage = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "I look it up." },
      { type: "toolCall", id: "toolu_01A09q90qw90lq917835lq9", name: "look", arguments: { at: "x" } },
    ],
    api: "openai-completions",
    provider,
    model: "m/1",
    usage,
    stopReason: "toolUse",
    timestamp: 2,
  };
  return {
    messages: [
      { role: "user", content: "What is at x?", timestamp: 1 },
      answer,
      {
        role: "toolResult",
        toolCallId: "toolu_01A09q90qw90lq917835lq9",
        toolName: "look",
        content: [{ type: "text", text: "42" }],
        isError: false,
        timestamp: 3,
      },
    ],
  };
}

const tools = [{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }];

function open(row: Row, deltas?: Parameters<typeof compatibleServer>[1]) {
  const server = compatibleServer(row, deltas);
  const world = { env: (name: string) => row.env?.[name] };
  return { ...server, model: connect(`${row.name}/m/1`, { fetch: server.fetch, world, maxRetries: 0 }) };
}

describe.each(rows)("$name", (row) => {
  test("accepts a history with thinking and calls, with tools and without", async () => {
    const { model, requests } = open(row);
    for (const offered of [{ tools }, {}]) {
      const answer = await model.complete({ ...history(row.name), ...offered }, { maxTokens: 100 });
      expect(answer.content).toEqual([{ type: "text", text: "Hello." }]);
    }
    expect(requests.map(({ model: asked }) => asked)).toEqual(["m/1", "m/1"]);
  });
});

test("every provider of Chat Completions is tested here", () => {
  const named = Object.entries(endpoints).filter(([, { api }]) => api === "openai-chat");
  expect(rows.map(({ name }) => name).sort()).toEqual(named.map(([name]) => name).sort());
});

test.each(rows.filter(({ key }) => key !== undefined))(
  "without a key, $name names its variable",
  async (row) => {
    const [variable = ""] = Object.keys(row.env ?? {}).filter((name) => name.endsWith("_KEY"));
    const { AZURE_OPENAI_RESOURCE_NAME } = row.env ?? {};
    const world = {
      env: (name: string) => (name === "AZURE_OPENAI_RESOURCE_NAME" ? AZURE_OPENAI_RESOURCE_NAME : undefined),
    };
    await expect(connect(`${row.name}/m`, { world }).complete(history(row.name))).rejects.toMatchObject({
      code: "provider/no-key",
      hint: expect.stringContaining(variable),
    });
  },
);

describe("thinking in tags", () => {
  const said = [
    { content: "\n<thi" },
    { content: "nk>\nLet me " },
    { content: "see.\n</" },
    { content: "think>\n" },
    { content: "\nForty-two." },
  ];

  test.each(["lmstudio", "llamacpp", "vllm", "groq", "together", "fireworks"])(
    "of %s becomes thinking, and goes back as it came",
    async (name) => {
      const row = rows.find((one) => one.name === name);
      if (row === undefined) throw new Error(name);
      const { model, requests } = open(row, said);
      const messages = history(name).messages.slice(0, 1);
      const answer = await model.complete({ messages });
      expect(answer.content).toMatchObject([
        { type: "thinking", thinking: "Let me see." },
        { type: "text", text: "Forty-two." },
      ]);
      await model.complete({
        messages: [...messages, answer, { role: "user", content: "Why?", timestamp: 9 }],
      });
      expect(requests[1]?.["messages"]).toEqual([
        { role: "user", content: "What is at x?" },
        { role: "assistant", content: "\n<think>\nLet me see.\n</think>\n\nForty-two." },
        { role: "user", content: "Why?" },
      ]);
    },
  );

  test("are text elsewhere", async () => {
    const row = rows.find(({ name }) => name === "xai");
    if (row === undefined) throw new Error("xai");
    const answer = await open(row, said).model.complete({ messages: history("xai").messages.slice(0, 1) });
    expect(answer.content).toEqual([
      { type: "text", text: "\n<think>\nLet me see.\n</think>\n\nForty-two." },
    ]);
  });
});

test("Mistral's ids are distinct, and the losses name them", async () => {
  const row = rows.find(({ name }) => name === "mistral");
  if (row === undefined) throw new Error("mistral");
  const { model } = open(row);
  const { request, losses } = await model.preview({ ...history("mistral"), tools });
  expect(request["messages"]).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      content: [{ type: "thinking", thinking: [{ type: "text", text: "I look it up." }] }],
      tool_calls: [{ id: "000v35at1" }],
    },
    { role: "tool", tool_call_id: "000v35at1" },
  ]);
  expect(losses).toMatchObject([
    { at: "/messages/1/content/1/id", what: 'the tool id "toolu_01A09q90qw90lq917835lq9"' },
  ]);
});

describe("Azure", () => {
  const env: Record<string, string> = { AZURE_API_KEY: "KEY" };

  test.each([
    [{ AZURE_OPENAI_ENDPOINT: "https://e.test/" }, undefined, "https://e.test/openai/v1/chat/completions"],
    [
      {},
      "https://r.openai.azure.com/openai/deployments/{model}?api-version=2024-10-21",
      "https://r.openai.azure.com/openai/deployments/m%2F1/chat/completions?api-version=2024-10-21",
    ],
  ])("with %j and the base URL %s", async (more, baseUrl, url) => {
    const { fetch } = compatibleServer({ url, key: { header: "api-key", value: "KEY" } });
    const world = { env: (name: string) => ({ ...env, ...more })[name] };
    const model = connect("azure/m/1", { fetch, world, ...(baseUrl === undefined ? {} : { baseUrl }) });
    expect((await model.complete({ messages: history("azure").messages.slice(0, 1) })).stopReason).toBe(
      "stop",
    );
  });

  test("needs an address", async () => {
    const model = connect("azure/m", { world: { env: (name) => env[name] } });
    await expect(model.complete(history("azure"))).rejects.toMatchObject({
      message: "the address of azure is unknown",
      hint: "set AZURE_OPENAI_ENDPOINT or AZURE_OPENAI_RESOURCE_NAME, or pass a baseUrl",
    });
  });
});

test.each(["http://localhost:9000/v1", "http://127.0.0.1:9000/v1", "http://[::1]:9000/v1"])(
  "a server of any name at %s needs no key",
  async (baseUrl) => {
    const { fetch } = compatibleServer({ url: `${baseUrl}/chat/completions` });
    const model = connect("mine/m", { baseUrl, fetch, world: { env: () => undefined } });
    expect((await model.complete({ messages: history("mine").messages.slice(0, 1) })).stopReason).toBe(
      "stop",
    );
  },
);

test("a server elsewhere does", async () => {
  const model = connect("mine/m", {
    baseUrl: "http://localhost.example.com/v1",
    world: { env: () => undefined },
  });
  await expect(model.complete(history("mine"))).rejects.toMatchObject({ code: "provider/no-key" });
});
