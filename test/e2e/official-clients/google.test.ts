import { ApiError, GoogleGenAI } from "@google/genai";
import { describe, expect, test } from "vitest";
import { gatewayForEachTest, PIXEL, SCRIPT } from "./gateway.js";

const gateway = gatewayForEachTest();

function client(): GoogleGenAI {
  return new GoogleGenAI({ apiKey: gateway().chat, httpOptions: { baseUrl: gateway().url } });
}

const weather = {
  functionDeclarations: [
    {
      name: "weather",
      description: "The weather.",
      parametersJsonSchema: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      },
    },
  ],
};

/** What a stream says in all. */
async function read(model: string, contents: string) {
  const chunks = [];
  for await (const chunk of await client().models.generateContentStream({ model, contents }))
    chunks.push(chunk);
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  return { parts, last: chunks.at(-1) };
}

describe("a model", () => {
  test("answers whole", async () => {
    const answer = await client().models.generateContent({
      model: "demo/echo",
      contents: "Good morning, world",
    });
    expect(answer.text).toBe("Good morning, world");
    expect(answer.modelVersion).toBe("demo/echo");
    expect(answer.candidates?.[0]?.finishReason).toBe("STOP");
    expect(answer.usageMetadata).toEqual({
      promptTokenCount: 3,
      candidatesTokenCount: 3,
      totalTokenCount: 6,
    });
  });

  test("streams", async () => {
    const { parts, last } = await read("demo/echo", "one two");
    expect(parts).toEqual([{ text: "one" }, { text: " two" }, { text: "" }]);
    expect(last?.usageMetadata).toEqual({ promptTokenCount: 2, candidatesTokenCount: 2, totalTokenCount: 4 });
    expect(last?.candidates?.[0]?.finishReason).toBe("STOP");
  });

  test("streams its thinking", async () => {
    const { parts } = await read("demo/script", "think: Hm.\nsay: Yes.");
    expect(parts).toEqual([{ text: "Hm.", thought: true }, { text: "Yes." }, { text: "" }]);
  });

  test("hands the client's tools to the client", async () => {
    const asked = { model: "demo/tools", config: { tools: [weather] } };
    const first = await client().models.generateContent({ ...asked, contents: "Oslo" });
    expect(first.functionCalls).toEqual([{ id: "call_1_0", name: "weather", args: { city: "Oslo" } }]);
    const second = await client().models.generateContent({
      ...asked,
      contents: [
        { role: "user", parts: [{ text: "Oslo" }] },
        {
          role: "model",
          parts: [{ functionCall: { id: "call_1_0", name: "weather", args: { city: "Oslo" } } }],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "call_1_0", name: "weather", response: { output: "4 degrees" } } },
          ],
        },
      ],
    });
    expect(second.text).toBe("weather said: 4 degrees");
  });

  test("streams calls", async () => {
    const stream = await client().models.generateContentStream({
      model: "demo/tools",
      contents: "Oslo",
      config: { tools: [weather] },
    });
    const calls = [];
    for await (const chunk of stream) calls.push(...(chunk.functionCalls ?? []));
    expect(calls).toEqual([{ id: "call_1_0", name: "weather", args: { city: "Oslo" } }]);
  });

  test("says that the answer was cut off", async () => {
    const { last } = await read("demo/script", "say: Half\nlength");
    expect(last?.candidates?.[0]?.finishReason).toBe("MAX_TOKENS");
  });

  test("estimates what a request is", async () => {
    const { totalTokens } = await client().models.countTokens({ model: "demo/echo", contents: "12345678" });
    expect(totalTokens).toBe(2);
  });
});

describe("an agent", () => {
  test("runs its own tools", async () => {
    const answer = await client().models.generateContent({ model: "agent/worker", contents: SCRIPT });
    expect(answer.text).toBe("Let me look.\n\nIt is there.");
    expect(answer.candidates?.[0]?.content?.parts).toEqual([
      { text: "Hm.", thought: true },
      { text: "Let me look." },
      { text: "\n\nIt is there." },
    ]);
    expect(answer.usageMetadata).toEqual({
      promptTokenCount: 37,
      candidatesTokenCount: 28,
      totalTokenCount: 65,
    });
    expect(answer.sdkHttpResponse?.headers?.["x-dragoman-session"]).toMatch(/^[0-9A-Z]{26}$/);
  });

  test("streams", async () => {
    const { parts } = await read("agent/worker", SCRIPT);
    const texts = parts.filter(({ thought }) => thought !== true).map(({ text }) => text);
    expect(texts).toEqual(["Let", " me", " look.", "\n\n", "It", " is", " there.", ""]);
  });

  test("sees the client's pictures", async () => {
    const answer = await client().models.generateContent({
      model: "agent/main",
      contents: [
        {
          role: "user",
          parts: [{ text: "What is this?" }, { inlineData: { mimeType: "image/png", data: PIXEL } }],
        },
      ],
    });
    const session = answer.sdkHttpResponse?.headers?.["x-dragoman-session"] ?? "";
    expect(await gateway().told(session)).toEqual(["user: What is this?(image)", "assistant: What is this?"]);
  });
});

test("a tool that only Google runs is left out, and reported", async () => {
  const answer = await client().models.generateContent({
    model: "demo/echo",
    contents: "x",
    config: { tools: [{ googleSearch: {} }], stopSequences: ["y"], topK: 3 },
  });
  expect(answer.text).toBe("x");
  expect(JSON.parse(answer.sdkHttpResponse?.headers?.["x-dragoman-losses"] ?? "")).toEqual([
    {
      at: "/tools/0",
      what: "the tool googleSearch",
      why: "its provider runs it, and this model has another provider",
      severity: "dropped",
    },
  ]);
});

describe("errors", () => {
  test("of a model that does not exist", async () => {
    const asking = client().models.generateContent({ model: "agent/nobody", contents: "x" });
    await expect(asking).rejects.toBeInstanceOf(ApiError);
    await expect(asking).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('"status":"NOT_FOUND"'),
    });
  });

  test("of what only Google's models can do", async () => {
    await expect(
      client().models.generateContent({
        model: "demo/echo",
        contents: "x",
        config: { candidateCount: 2 },
      }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining("INVALID_ARGUMENT") });
    await expect(
      client().models.generateContent({
        model: "agent/main",
        contents: "x",
        config: { tools: [{ googleSearch: {} }] },
      }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining("(at /tools/0)") });
  });

  test.each([
    ["fail: 429", 429, "RESOURCE_EXHAUSTED"],
    ["fail: 503", 503, "UNAVAILABLE"],
  ])("of the provider: %s", async (contents, status, word) => {
    const asking = client().models.generateContent({ model: "demo/script", contents });
    await expect(asking).rejects.toMatchObject({ status, message: expect.stringContaining(word) });
    await expect(read("demo/script", contents)).rejects.toMatchObject({ status });
  });

  test("in mid-answer", async () => {
    await expect(read("demo/script", "say: Half an\ncut")).rejects.toThrow(
      "the stream ended before its terminal event",
    );
  });
});

test.each(["v1", "v1beta"])("the version %s is served", async (apiVersion) => {
  const other = new GoogleGenAI({
    apiKey: gateway().chat,
    httpOptions: { baseUrl: gateway().url, apiVersion },
  });
  const answer = await other.models.generateContent({ model: "demo/echo", contents: "Hi." });
  expect(answer.text).toBe("Hi.");
  const names: (string | undefined)[] = [];
  for await (const { name } of await other.models.list()) names.push(name);
  expect(names).toContain("models/demo/echo");
});

test("models are listed in Google's shape", async () => {
  const names: (string | undefined)[] = [];
  for await (const { name } of await client().models.list()) names.push(name);
  expect(names).toEqual([
    "models/agent/main",
    "models/agent/worker",
    "models/demo/echo",
    "models/demo/script",
    "models/demo/tools",
  ]);
  expect(await client().models.get({ model: "agent/main" })).toMatchObject({
    name: "models/agent/main",
    displayName: "main",
  });
});
