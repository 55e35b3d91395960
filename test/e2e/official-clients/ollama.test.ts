import { type ChatResponse, Ollama } from "ollama";
import { describe, expect, test } from "vitest";
import { gatewayForEachTest, PIXEL, SCRIPT } from "./gateway.js";

const gateway = gatewayForEachTest();

function client(headers: Record<string, string> = {}): Ollama {
  return new Ollama({
    host: gateway().url,
    headers: { authorization: `Bearer ${gateway().chat}`, ...headers },
  });
}

const user = (content: string) => [{ role: "user", content }];

const weather = {
  type: "function",
  function: {
    name: "weather",
    description: "The weather.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};

async function read(model: string, content: string): Promise<ChatResponse[]> {
  const lines: ChatResponse[] = [];
  for await (const line of await client().chat({ model, messages: user(content), stream: true }))
    lines.push(line);
  return lines;
}

describe("a model", () => {
  test("answers whole", async () => {
    const answer = await client().chat({ model: "demo/echo", messages: user("Good morning, world") });
    expect(answer).toEqual({
      model: "demo/echo",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      message: { role: "assistant", content: "Good morning, world" },
      done: true,
      done_reason: "stop",
      prompt_eval_count: 3,
      eval_count: 3,
    });
  });

  test("streams", async () => {
    const lines = await read("demo/echo", "one two");
    expect(lines.map(({ message, done }) => [message.content, done])).toEqual([
      ["one", false],
      [" two", false],
      ["", true],
    ]);
    expect(lines.at(-1)).toMatchObject({ done_reason: "stop", prompt_eval_count: 2, eval_count: 2 });
  });

  test("hands the client's tools to the client, and takes their results", async () => {
    const asked = { model: "demo/tools", tools: [weather] };
    const first = await client().chat({ ...asked, messages: user("Oslo") });
    expect(first.message).toEqual({
      role: "assistant",
      content: "",
      thinking: "I have weather. I will try it.",
      tool_calls: [{ id: "call_1_0", function: { name: "weather", arguments: { city: "Oslo" } } }],
    });
    const second = await client().chat({
      ...asked,
      messages: [
        ...user("Oslo"),
        first.message,
        { role: "tool", tool_name: "weather", content: "4 degrees" },
      ],
    });
    expect(second.message.content).toBe("weather said: 4 degrees");
  });

  test("streams calls and thinking", async () => {
    const stream = await client().chat({
      model: "demo/tools",
      messages: user("Oslo"),
      tools: [weather],
      stream: true,
    });
    const calls = [];
    let thinking = "";
    for await (const { message } of stream) {
      calls.push(...(message.tool_calls ?? []));
      thinking += message.thinking ?? "";
    }
    expect(calls).toEqual([{ id: "call_1_0", function: { name: "weather", arguments: { city: "Oslo" } } }]);
    expect(thinking).toBe("I have weather. I will try it.");
  });

  test("says that the answer was cut off", async () => {
    const answer = await client().chat({ model: "demo/script", messages: user("say: Half\nlength") });
    expect(answer.done_reason).toBe("length");
  });
});

describe("an agent", () => {
  test("runs its own tools", async () => {
    const answer = await client().chat({ model: "agent/worker", messages: user(SCRIPT) });
    expect(answer).toMatchObject({
      model: "agent/worker",
      message: { role: "assistant", content: "Let me look.\n\nIt is there.", thinking: "Hm." },
      done_reason: "stop",
      prompt_eval_count: 37,
      eval_count: 28,
    });
  });

  test("streams", async () => {
    const lines = await read("agent/worker", SCRIPT);
    expect(lines.map(({ message }) => message.content).join("")).toBe("Let me look.\n\nIt is there.");
  });

  test("sees the client's pictures", async () => {
    const key = "agent:main:album";
    await client({ "x-dragoman-session": key }).chat({
      model: "agent/main",
      messages: [{ role: "user", content: "What is this?", images: [PIXEL] }],
    });
    const [session = ""] = await gateway().sessions();
    expect(await gateway().told(session)).toEqual(["user: What is this?(image)", "assistant: What is this?"]);
  });
});

describe("errors", () => {
  test.each([
    [
      "agent/nobody",
      "x",
      404,
      'there is no agent "nobody"; the agents are main, worker; add it to "agents" in the configuration',
    ],
    ["demo/script", "fail: 429", 429, "HTTP 429: as the script says"],
  ])("%s, %s", async (model, content, status_code, error) => {
    const asking = client().chat({ model, messages: user(content) });
    await expect(asking).rejects.toMatchObject({ status_code, error });
    await expect(read(model, content)).rejects.toMatchObject({ status_code, error });
  });

  test("in mid-answer", async () => {
    await expect(read("demo/script", "say: Half an\ncut")).rejects.toThrow(
      "the stream ended before its terminal event",
    );
  });
});

test.each(["demo/echo", "agent/main"])("%s answers with JSON when it is asked to", async (model) => {
  const { message } = await client().chat({ model, messages: user("x"), format: "json" });
  expect(message.content).toBe('{"text":"x"}');
});

test("what the server has", async () => {
  const { models } = await client().list();
  expect(models.map(({ model }) => model)).toEqual([
    "agent/main",
    "agent/worker",
    "demo/echo",
    "demo/script",
    "demo/tools",
  ]);
  expect((await client().show({ model: "demo/echo" })).capabilities).toEqual(["completion"]);
  expect((await client().show({ model: "demo/script" })).capabilities).toEqual([
    "completion",
    "tools",
    "thinking",
  ]);
  expect((await client().show({ model: "agent/main" })).capabilities).not.toContain("tools");
  expect(await client().version()).toEqual({ version: "0.12.0" });
});
