import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { gatewayForEachTest, PIXEL, SCRIPT } from "./gateway.js";

const gateway = gatewayForEachTest();

function client(headers: Record<string, string> = {}): OpenAI {
  return new OpenAI({
    baseURL: `${gateway().url}/v1`,
    apiKey: gateway().chat,
    maxRetries: 0,
    defaultHeaders: headers,
  });
}

const user = (content: string) => [{ role: "user" as const, content }];

const weather = {
  type: "function" as const,
  function: {
    name: "weather",
    description: "The weather.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};

const weatherCall = {
  id: "call_1_0",
  type: "function",
  function: { name: "weather", arguments: '{"city":"Oslo"}' },
};

describe("a model", () => {
  test("answers whole", async () => {
    const completion = await client().chat.completions.create({
      model: "demo/echo",
      messages: user("Good morning, world"),
    });
    expect(completion).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9A-Z]{26}$/),
      object: "chat.completion",
      created: expect.any(Number),
      model: "demo/echo",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Good morning, world", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 3,
        completion_tokens: 3,
        total_tokens: 6,
        prompt_tokens_details: { cached_tokens: 0 },
      },
    });
  });

  test.each([true, false])("answers in chunks, with usage: %s", async (include_usage) => {
    const stream = await client().chat.completions.create({
      model: "demo/echo",
      messages: user("one two"),
      stream: true,
      stream_options: { include_usage },
    });
    const chunks = [];
    for await (const { id, created, model, ...chunk } of stream) {
      expect(model).toBe("demo/echo");
      chunks.push(chunk);
    }
    const none = include_usage ? { usage: null } : {};
    const object = "chat.completion.chunk";
    const choice = (delta: object, finish_reason: string | null = null) => ({
      object,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...none,
    });
    expect(chunks).toEqual([
      choice({ role: "assistant", content: "" }),
      choice({ content: "one" }),
      choice({ content: " two" }),
      choice({}, "stop"),
      ...(include_usage
        ? [
            {
              object,
              choices: [],
              usage: {
                prompt_tokens: 2,
                completion_tokens: 2,
                total_tokens: 4,
                prompt_tokens_details: { cached_tokens: 0 },
              },
            },
          ]
        : []),
    ]);
  });

  test("hands the client's tools to the client, and takes their results", async () => {
    const asked = { model: "demo/tools", tools: [weather] };
    const first = await client().chat.completions.create({ ...asked, messages: user("Oslo") });
    const [choice] = first.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    expect(choice?.message).toEqual({
      role: "assistant",
      content: null,
      refusal: null,
      reasoning_content: "I have weather. I will try it.",
      tool_calls: [weatherCall],
    });
    if (choice === undefined) throw new Error("no choice");
    const second = await client().chat.completions.create({
      ...asked,
      messages: [
        ...user("Oslo"),
        choice.message,
        { role: "tool", tool_call_id: "call_1_0", content: "4 degrees" },
      ],
    });
    expect(second.choices[0]?.message.content).toBe("weather said: 4 degrees");
    expect(await gateway().sessions()).toEqual([]);
  });

  test("streams calls so that the client assembles them", async () => {
    const stream = client().chat.completions.stream({
      model: "demo/tools",
      tools: [weather],
      messages: user("Oslo"),
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.choices[0]?.message.tool_calls).toMatchObject([weatherCall]);
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
  });

  test("streams its thinking", async () => {
    const stream = await client().chat.completions.create({
      model: "demo/script",
      messages: user("think: Hm, well.\nsay: Yes."),
      stream: true,
    });
    let thinking = "";
    for await (const chunk of stream) {
      const delta: { reasoning_content?: string; content?: string | null } = chunk.choices[0]?.delta ?? {};
      thinking += delta.reasoning_content ?? "";
    }
    expect(thinking).toBe("Hm, well.");
  });

  test.each([
    ["length", "say: Half\nlength", "length"],
    ["stop", "say: All", "stop"],
  ])("ends for %s", async (_, content, finishReason) => {
    const completion = await client().chat.completions.create({
      model: "demo/script",
      messages: user(content),
    });
    expect(completion.choices[0]?.finish_reason).toBe(finishReason);
  });

  test("stops when the client goes", async () => {
    const aborting = new AbortController();
    const stream = await client().chat.completions.create(
      { model: "demo/script", messages: user("say: Wait.\nstall"), stream: true },
      { signal: aborting.signal },
    );
    let text = "";
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      if (text === "Wait.") aborting.abort();
    }
    expect(text).toBe("Wait.");
  });

  test("says what it could not be told", async () => {
    const { response } = await client()
      .chat.completions.create({ model: "demo/echo", messages: user("x"), top_p: 0.5, verbosity: "low" })
      .withResponse();
    expect(JSON.parse(response.headers.get("x-dragoman-losses") ?? "")).toEqual([
      {
        at: "/verbosity",
        what: "verbosity",
        why: "it is not translated from openai-chat to other APIs",
        severity: "dropped",
      },
    ]);
  });
});

describe("an agent", () => {
  test("runs its own tools, and answers in one text", async () => {
    const { data, response } = await client()
      .chat.completions.create({ model: "agent/worker", messages: user(SCRIPT) })
      .withResponse();
    expect(data.choices).toEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Let me look.\n\nIt is there.",
          refusal: null,
          reasoning_content: "Hm.",
        },
        logprobs: null,
        finish_reason: "stop",
      },
    ]);
    expect(data.usage).toMatchObject({ prompt_tokens: 37, completion_tokens: 28, total_tokens: 65 });
    const session = response.headers.get("x-dragoman-session") ?? "";
    expect(await gateway().told(session)).toEqual([
      `user: ${SCRIPT}`,
      "assistant: (thinking)Let me look.(toolCall)",
      "toolResult",
      "assistant: It is there.",
    ]);
  });

  test("streams it", async () => {
    const stream = await client().chat.completions.create({
      model: "agent/worker",
      messages: user(SCRIPT),
      stream: true,
    });
    const deltas: object[] = [];
    for await (const chunk of stream) deltas.push(chunk.choices[0]?.delta ?? {});
    expect(deltas).toEqual([
      { role: "assistant", content: "" },
      { reasoning_content: "Hm." },
      { content: "Let" },
      { content: " me" },
      { content: " look." },
      { content: "\n\n" },
      { content: "It" },
      { content: " is" },
      { content: " there." },
      {},
    ]);
  });

  test("keeps its own settings, and says which of the client's it does not take", async () => {
    const { response } = await client()
      .chat.completions.create({ model: "agent/main", messages: user("x"), temperature: 1, top_p: 0.5 })
      .withResponse();
    const why = "an agent answers as it is configured";
    expect(JSON.parse(response.headers.get("x-dragoman-losses") ?? "")).toEqual([
      { at: "/temperature", what: "temperature", why, severity: "dropped" },
      { at: "/top_p", what: "topP", why, severity: "dropped" },
    ]);
  });

  test.each([
    ["fail: 429", 429],
    ["fail: 401", 502],
    ["say: Half\ncut", 502],
  ])("fails as its model does, and is not asked again: %s", async (content, status) => {
    const asking = client().chat.completions.create({ model: "agent/worker", messages: user(content) });
    await expect(asking).rejects.toMatchObject({ status });
    const error = await asking.catch((thrown: unknown) => thrown);
    if (!(error instanceof OpenAI.APIError)) throw new Error("it did not fail");
    expect(error.headers?.get("x-should-retry")).toBe("false");
    expect(error.headers?.get("x-dragoman-session")).toMatch(/^[0-9A-Z]{26}$/);
  });

  test("does not tell what a provider says of our key, in mid-answer neither", async () => {
    const content = `say: Let me look.\ncall: read {"file_path":"a.txt"}\n---\nfail: 401`;
    const stream = await client().chat.completions.create({
      model: "agent/worker",
      messages: user(content),
      stream: true,
    });
    const reading = async () => {
      for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
    };
    await expect(reading()).rejects.toThrow("the model's provider rejected this gateway's API key");
  });

  test("sees the client's pictures", async () => {
    const { response } = await client()
      .chat.completions.create({
        model: "agent/main",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
            ],
          },
        ],
      })
      .withResponse();
    const session = response.headers.get("x-dragoman-session") ?? "";
    expect(await gateway().told(session)).toEqual(["user: What is this?(image)", "assistant: What is this?"]);
  });
});

describe("errors", () => {
  test.each([
    ["no-such-model", 404, "model_not_found", null],
    ["nobody/x", 404, "model_not_found", null],
    ["demo/nothing", 404, "model_not_found", null],
    ["agent/nobody", 404, "model_not_found", null],
  ])("of a model that does not exist: %s", async (model, status, code, param) => {
    const operator = client({ authorization: `Bearer ${gateway().admin}` });
    const asking = operator.chat.completions.create({ model, messages: user("x") });
    await expect(asking).rejects.toMatchObject({ status, code, param, type: "invalid_request_error" });
    await expect(asking).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("of a model that the operator does not offer", async () => {
    const asking = client().chat.completions.create({ model: "anthropic/x", messages: user("x") });
    await expect(asking).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
  });

  test.each([true, false])("of a request that is none, streaming: %s", async (stream) => {
    const wrong = { model: "demo/echo", messages: [{ role: "user" as const, content: 7 as never }], stream };
    await expect(client().chat.completions.create(wrong)).rejects.toMatchObject({
      status: 400,
      error: {
        message: "expected a text or a list of parts, found 7 (at /messages/0/content)",
        type: "invalid_request_error",
        param: "messages[0].content",
        code: null,
      },
    });
  });

  test.each([
    ["fail: 429", 429, { type: "rate_limit_error", code: "rate_limit_exceeded" }],
    ["fail: 400", 400, { type: "invalid_request_error", code: null }],
    ["fail: 500", 502, { type: "server_error", code: null }],
    ["fail: 503", 503, { type: "server_error", code: null }],
    [
      "fail: 401",
      502,
      {
        type: "server_error",
        message: "the model's provider rejected this gateway's API key",
      },
    ],
  ])("of the provider: %s", async (content, status, error) => {
    for (const stream of [true, false]) {
      const asking = client().chat.completions.create({
        model: "demo/script",
        messages: user(content),
        stream,
      });
      await expect(asking).rejects.toMatchObject({ status, error });
    }
  });

  test("in mid-answer come after what was said", async () => {
    const stream = await client().chat.completions.create({
      model: "demo/script",
      messages: user("say: Half an\ncut"),
      stream: true,
    });
    let text = "";
    const reading = async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    };
    await expect(reading()).rejects.toThrow("the stream ended before its terminal event");
    expect(text).toBe("Half an");
  });

  test("of what only another API's model can do", async () => {
    await expect(
      client().chat.completions.create({
        model: "demo/echo",
        messages: user("x"),
        n: 2,
      }),
    ).rejects.toMatchObject({ status: 400, param: "n" });
  });

  test.each([
    ["temperature", { temperature: "hot" }],
    ["max_tokens", { max_tokens: "9" }],
    ["messages", { messages: [] }],
    ["messages[1].role", { messages: [...user("x"), { role: "critic", content: "y" }] }],
  ])("of a request that is none: %s", async (param, more) => {
    const body = { model: "demo/echo", messages: user("x"), ...more };
    const asking = client().post("/chat/completions", { body });
    await expect(asking).rejects.toMatchObject({ status: 400, param });
  });
});
