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
      id: expect.stringMatching(`^resp_${ULID}${ULID}$`),
      object: "response",
      status: "completed",
      error: null,
      model: "demo/echo",
      output_text: "Good morning, world",
      output: [
        {
          id: expect.stringMatching(`^msg_${ULID}${ULID}_0$`),
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

describe("tools that the client runs, with a model of another API", () => {
  const custom = { type: "custom" as const, name: "apply_patch", description: "Applies a patch." };
  const namespace = {
    type: "namespace" as const,
    name: "crm",
    description: "Customers.",
    tools: [{ type: "function" as const, name: "find", parameters: { type: "object", properties: {} } }],
  };
  const script = [
    'call: apply_patch {"input":"*** Begin"}',
    'call: crm__find {"id":1}',
    'call: local_shell {"command":["ls"]}',
    'call: plain {"a":1}',
  ].join("\n");
  const tools = [
    custom,
    namespace,
    { type: "local_shell" as const },
    { type: "function" as const, name: "plain", parameters: {}, strict: false },
    { type: "web_search" as const },
  ];
  const items = [
    { type: "custom_tool_call", call_id: "call_1_0", name: "apply_patch", input: "*** Begin" },
    { type: "function_call", call_id: "call_1_1", name: "find", namespace: "crm", arguments: '{"id":1}' },
    { type: "local_shell_call", call_id: "call_1_2", action: { type: "exec", command: ["ls"], env: {} } },
    { type: "function_call", call_id: "call_1_3", name: "plain", arguments: '{"a":1}' },
  ];

  test("are called in the client's own form", async () => {
    const { data, response } = await client()
      .responses.create({ model: "demo/script", input: script, tools })
      .withResponse();
    expect(data.output).toMatchObject(items);
    expect(JSON.parse(response.headers.get("x-dragoman-losses") ?? "")).toMatchObject([
      { at: "/tools/4", what: "the tool web_search" },
    ]);
  });

  test("and so they are in a stream", async () => {
    const stream = await client().responses.create({
      model: "demo/script",
      input: script,
      tools,
      stream: true,
    });
    const done: unknown[] = [];
    for await (const event of stream) {
      if (event.type === "response.output_item.done") done.push(event.item);
      if (event.type === "response.completed") expect(event.response.output).toMatchObject(items);
    }
    expect(done).toMatchObject(items);
  });

  test("have their results shown to the model", async () => {
    const { output_text } = await client().responses.create({
      model: "demo/tools",
      tools: [custom],
      input: [
        { role: "user", content: "go" },
        { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "x" },
        { type: "custom_tool_call_output", call_id: "c1", output: "patched" },
      ],
    });
    expect(output_text).toBe("apply_patch said: patched");
  });

  test("cannot be forced when only the provider could run them", async () => {
    const asking = client().responses.create({
      model: "demo/echo",
      input: "x",
      tools: [{ type: "web_search" }],
      tool_choice: "required",
    });
    await expect(asking).rejects.toMatchObject({ status: 400, param: "tools[0]" });
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
    ["tools[0]", { tools: [{ type: "web_search" as const }] }],
  ])("of what an agent does not do: %s", async (param, more) => {
    const asking = client().responses.create({ model: "agent/main", input: "x", ...more });
    await expect(asking).rejects.toMatchObject({ status: 400, param });
    expect(await gateway().sessions()).toEqual([]);
  });
});
