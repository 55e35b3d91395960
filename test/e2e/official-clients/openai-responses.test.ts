import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { gatewayForEachTest, PIXEL, SCRIPT } from "./gateway.js";

const gateway = gatewayForEachTest();

function client(): OpenAI {
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().chat, maxRetries: 0 });
}

const weather = {
  type: "function" as const,
  name: "weather",
  description: "The weather.",
  strict: false,
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

const ULID = "[0-9A-Z]{26}";

describe("a model", () => {
  test("answers whole", async () => {
    const response = await client().responses.create({ model: "demo/echo", input: "Good morning, world" });
    expect(response).toMatchObject({
      id: expect.stringMatching(`^resp_${ULID}$`),
      object: "response",
      status: "completed",
      error: null,
      model: "demo/echo",
      output_text: "Good morning, world",
      output: [
        {
          id: expect.stringMatching(`^msg_${ULID}_0$`),
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "Good morning, world", annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 6,
      },
    });
  });

  test("streams events that the client assembles", async () => {
    const stream = client().responses.stream({ model: "demo/echo", input: "one two" });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(await stream.finalResponse()).toMatchObject({
      output_text: "one two",
      usage: { input_tokens: 2, output_tokens: 2, total_tokens: 4 },
    });
  });

  test("names no two answers alike", async () => {
    const asked = { model: "demo/echo", input: "x" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => client().responses.create(asked)));
    const ids = answers.flatMap(({ id, output }) => [id, ...output.map((item) => item.id)]);
    expect(new Set(ids).size).toBe(8);
  });

  test.each([true, false])("hands the client's tools to the client, streaming: %s", async (streams) => {
    const asked = { model: "demo/tools", tools: [weather], input: "Oslo" };
    const first = streams
      ? await client().responses.stream(asked).finalResponse()
      : await client().responses.create(asked);
    expect(first.output).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "I have weather. I will try it." }] },
      { type: "function_call", call_id: "call_1_0", name: "weather", arguments: '{"city":"Oslo"}' },
    ]);
    const second = await client().responses.create({
      ...asked,
      input: [
        { role: "user", content: "Oslo" },
        { type: "function_call", call_id: "call_1_0", name: "weather", arguments: '{"city":"Oslo"}' },
        { type: "function_call_output", call_id: "call_1_0", output: "4 degrees" },
      ],
    });
    expect(second.output_text).toBe("weather said: 4 degrees");
  });

  test("says that the answer was cut off", async () => {
    const response = await client().responses.create({ model: "demo/script", input: "say: Half\nlength" });
    expect(response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output_text: "Half",
    });
  });
});

describe("an agent", () => {
  test.each([true, false])("runs its own tools, streaming: %s", async (streams) => {
    const asked = { model: "agent/worker", input: SCRIPT };
    const response = streams
      ? await client().responses.stream(asked).finalResponse()
      : await client().responses.create(asked);
    expect(response).toMatchObject({
      status: "completed",
      model: "agent/worker",
      output_text: "Let me look.\n\nIt is there.",
      output: [
        { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
        { type: "message", content: [{ type: "output_text", text: "Let me look." }] },
        { type: "message", content: [{ type: "output_text", text: "\n\nIt is there." }] },
      ],
      usage: { input_tokens: 37, output_tokens: 28, total_tokens: 65 },
    });
  });

  test("sees the client's pictures", async () => {
    const { response } = await client()
      .responses.create({
        model: "agent/main",
        input: [
          {
            role: "user",
            content: [
              { type: "input_text", text: "What is this?" },
              { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${PIXEL}` },
            ],
          },
        ],
      })
      .withResponse();
    const session = response.headers.get("x-dragoman-session") ?? "";
    expect(await gateway().told(session)).toEqual(["user: What is this?(image)", "assistant: What is this?"]);
  });

  test("is cancelled by the API's own call", async () => {
    const stream = await client().responses.create({
      model: "agent/worker",
      input: "say: Wait.\nstall",
      stream: true,
    });
    const types: string[] = [];
    let id = "";
    let cancelled: object | undefined;
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "response.created") id = event.response.id;
      if (event.type === "response.output_text.delta") cancelled = await client().responses.cancel(id);
    }
    expect(cancelled).toMatchObject({
      status: "cancelled",
      output: [{ content: [{ type: "output_text", text: "Wait." }] }],
    });
    expect(types.at(-1)).toBe("response.failed");
  });
});

describe("errors", () => {
  test("of a model that does not exist", async () => {
    await expect(client().responses.create({ model: "agent/nobody", input: "x" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });

  test("of a request that is none", async () => {
    await expect(client().responses.create({ model: "demo/echo" })).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
    });
  });

  test.each([
    ["fail: 429", 429],
    ["fail: 503", 503],
  ])("of the provider: %s", async (input, status) => {
    for (const stream of [true, false]) {
      await expect(client().responses.create({ model: "demo/script", input, stream })).rejects.toMatchObject({
        status,
      });
    }
  });

  test("in mid-answer are the last event", async () => {
    const stream = await client().responses.create({
      model: "demo/script",
      input: "say: Half an\ncut",
      stream: true,
    });
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: {
        status: "failed",
        error: { code: "server_error", message: "the stream ended before its terminal event" },
      },
    });
  });

  test.each([
    ["previous_response_id", { previous_response_id: "resp_1" }],
    ["background", { background: true }],
    ["text.format", { text: { format: { type: "json_object" as const } } }],
    ["tools[0]", { tools: [{ type: "web_search" as const }] }],
  ])("of what an agent does not do: %s", async (param, more) => {
    const asking = client().responses.create({ model: "agent/main", input: "x", ...more });
    await expect(asking).rejects.toMatchObject({ status: 400, param });
    expect(await gateway().sessions()).toEqual([]);
  });
});
