import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import { gatewayForEachTest, PIXEL, SCRIPT } from "./gateway.js";

const gateway = gatewayForEachTest();

function client(): Anthropic {
  return new Anthropic({
    baseURL: gateway().url,
    apiKey: gateway().chat,
    maxRetries: 0,
    defaultHeaders: { "x-request-id": "req_1" },
  });
}

const ask = (model: string, content: string) => ({
  model,
  max_tokens: 100,
  messages: [{ role: "user" as const, content }],
});

const weather = {
  name: "weather",
  description: "The weather.",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
};

const usage = (input_tokens: number, output_tokens: number) => ({
  input_tokens,
  output_tokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
});

describe("a model", () => {
  test("answers whole", async () => {
    const message = await client().messages.create(ask("demo/echo", "Good morning, world"));
    expect(message._request_id).toBe("req_1");
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9A-Z]{26}$/),
      type: "message",
      role: "assistant",
      model: "demo/echo",
      content: [{ type: "text", text: "Good morning, world" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: usage(3, 3),
    });
  });

  test("streams events that the client assembles", async () => {
    const stream = client().messages.stream(ask("demo/echo", "one two"));
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(await stream.finalMessage()).toMatchObject({
      content: [{ type: "text", text: "one two" }],
      stop_reason: "end_turn",
      usage: usage(2, 2),
    });
  });

  test.each([true, false])("hands the client's tools to the client, streaming: %s", async (streams) => {
    const asked = { ...ask("demo/tools", "Oslo"), tools: [weather] };
    const first = streams
      ? await client().messages.stream(asked).finalMessage()
      : await client().messages.create(asked);
    expect(first.stop_reason).toBe("tool_use");
    expect(first.content).toEqual([
      {
        type: "thinking",
        thinking: "I have weather. I will try it.",
        signature: expect.stringMatching(/^WyJkcmFnb21hbi0x/),
      },
      { type: "tool_use", id: "call_1_0", name: "weather", input: { city: "Oslo" } },
    ]);
    const second = await client().messages.create({
      ...asked,
      messages: [
        ...asked.messages,
        { role: "assistant", content: first.content },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "call_1_0", content: "4 degrees" }],
        },
      ],
    });
    expect(second.content).toEqual([{ type: "text", text: "weather said: 4 degrees" }]);
  });

  test("says that the answer was cut off", async () => {
    const message = await client().messages.create(ask("demo/script", "say: Half\nlength"));
    expect(message.stop_reason).toBe("max_tokens");
  });

  test("estimates what a request is", async () => {
    const { data, response } = await client()
      .messages.countTokens({ model: "demo/echo", messages: [{ role: "user", content: "12345678" }] })
      .withResponse();
    expect(data).toEqual({ input_tokens: 2 });
    expect(response.headers.get("x-dragoman-estimate")).toBe("true");
  });
});

test("a tool that Anthropic defines and the client runs works with any model", async () => {
  const { data, response } = await client()
    .messages.create({
      ...ask("demo/script", 'call: bash {"command":"ls"}'),
      tools: [
        { type: "bash_20250124", name: "bash" },
        { type: "web_search_20250305", name: "web_search" },
      ],
    })
    .withResponse();
  expect(data.content).toMatchObject([{ type: "tool_use", name: "bash", input: { command: "ls" } }]);
  expect(JSON.parse(response.headers.get("x-dragoman-losses") ?? "")).toMatchObject([
    { at: "/tools/1", what: "the tool web_search_20250305" },
  ]);
});

describe("an agent", () => {
  test.each([true, false])("runs its own tools, streaming: %s", async (streams) => {
    const asked = ask("agent/worker", SCRIPT);
    const message = streams
      ? await client().messages.stream(asked).finalMessage()
      : await client().messages.create(asked);
    expect(message).toMatchObject({
      model: "agent/worker",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "" },
        { type: "text", text: "Let me look." },
        { type: "text", text: "\n\nIt is there." },
      ],
      stop_reason: "end_turn",
      usage: usage(37, 28),
    });
  });

  test("sees the client's pictures", async () => {
    const { response } = await client()
      .messages.create({
        model: "agent/main",
        max_tokens: 100,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
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
  test("of a model that does not exist", async () => {
    await expect(client().messages.create(ask("agent/nobody", "x"))).rejects.toMatchObject({
      status: 404,
      type: "not_found_error",
      requestID: "req_1",
      error: {
        type: "error",
        error: {
          type: "not_found_error",
          message:
            'there is no agent "nobody"; the agents are main, worker; add it to "agents" in the configuration',
        },
        request_id: "req_1",
      },
    });
  });

  test.each([
    ["/max_tokens", { max_tokens: undefined }],
    ["/messages", { messages: [] }],
    ["/top_p", { top_p: "much" }],
  ])("of a request without what the API requires: %s", async (at, more) => {
    const asking = client().post("/v1/messages", { body: { ...ask("demo/echo", "x"), ...more } });
    await expect(asking).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`(at ${at})`),
    });
  });

  test("of a request that is none", async () => {
    const wrong = { ...ask("demo/echo", "x"), messages: [{ role: "user" as const, content: 7 as never }] };
    await expect(client().messages.create(wrong)).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
      message: expect.stringContaining("(at /messages/0/content)"),
    });
  });

  test.each([
    ["fail: 429", 429, "rate_limit_error"],
    ["fail: 503", 529, "overloaded_error"],
    ["fail: 401", 502, "api_error"],
  ])("of the provider: %s", async (content, status, type) => {
    for (const stream of [true, false]) {
      const asking = client().messages.create({ ...ask("demo/script", content), stream });
      await expect(asking).rejects.toMatchObject({ status, type });
    }
  });

  test("in mid-answer come after what was said", async () => {
    const stream = client().messages.stream(ask("demo/script", "say: Half an\ncut"));
    let text = "";
    stream.on("text", (delta) => {
      text += delta;
    });
    await expect(stream.finalMessage()).rejects.toThrow("the stream ended before its terminal event");
    expect(text).toBe("Half an");
  });
});

test("models are listed in Anthropic's shape", async () => {
  const started = expect.stringMatching(/^20\d\d-/);
  const page = await client().models.list();
  expect(page.data.slice(0, 2)).toEqual([
    { type: "model", id: "agent/main", display_name: "main", created_at: started },
    { type: "model", id: "agent/worker", display_name: "worker", created_at: started },
  ]);
  expect(await client().models.retrieve("demo/echo")).toMatchObject({ id: "demo/echo", type: "model" });
  await expect(client().models.retrieve("nobody/x")).rejects.toMatchObject({
    status: 404,
    type: "not_found_error",
  });
});
