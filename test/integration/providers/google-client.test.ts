import { once } from "node:events";
import { type GenerateContentResponse, GoogleGenAI, type Part } from "@google/genai";
import { afterEach, describe, expect, test } from "vitest";
import type { Origin } from "../../../src/core/api/provider.js";
import { priced } from "../../../src/core/message/usage.js";
import { AnswerBuilder } from "../../../src/core/stream/builder.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../../src/core/types.js";
import { googleApi } from "../../../src/dialects/google/index.js";
import { type Answers, serveGoogle } from "../../fakes/google.js";

const MODEL = "gemini-3-pro-preview";
const price: Origin["price"] = (tokens) =>
  priced(tokens, { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 0 });
const origin: Origin = {
  provider: "google",
  model: MODEL,
  timestamp: 1_740_000_000_000,
  price,
  priceKnown: true,
};

const header: AssistantMessage = {
  role: "assistant",
  content: [],
  api: "google-generative-ai",
  provider: "google",
  model: MODEL,
  usage: price({ input: 900, output: 150, cacheRead: 100, cacheWrite: 0 }),
  stopReason: "stop",
  timestamp: 1_740_000_000_000,
};

/** The message, as a provider would have streamed it: a few characters at a time. */
function live(message: AssistantMessage): LiveAssistantMessageEvent[] {
  const builder = new AnswerBuilder({ ...message, content: [] });
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        stream(builder, builder.open({ ...block, text: "" }), block.text);
        break;
      case "thinking":
        stream(builder, builder.open({ ...block, thinking: "" }), block.thinking);
        break;
      case "toolCall":
        stream(builder, builder.open(block), JSON.stringify(block.arguments));
        break;
      default:
        builder.whole(block);
    }
  }
  const { stopReason, errorMessage = "" } = message;
  if (stopReason === "error" || stopReason === "aborted") builder.fail(errorMessage, stopReason);
  else builder.done(stopReason);
  return builder.drain();
}

function stream(builder: AnswerBuilder, index: number, text: string): void {
  for (const delta of text.match(/[\s\S]{1,5}/g) ?? []) builder.delta(index, delta);
  builder.close(index);
}

function payloadsOf(message: AssistantMessage) {
  const writer = googleApi.streamWriter();
  return live(message).flatMap((event) => writer.push(event));
}

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function client(answers: Answers): Promise<GoogleGenAI> {
  const { baseUrl, server } = await serveGoogle(answers);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
    return once(server, "close");
  });
  return new GoogleGenAI({ apiKey: "none", vertexai: false, httpOptions: { baseUrl, apiVersion: "v1beta" } });
}

/** What the pieces that the client hands out amount to, by plain concatenation. */
function assemble(chunks: readonly GenerateContentResponse[]) {
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  const texts = (wanted: boolean) =>
    parts
      .flatMap((part) => (part.text !== undefined && (part.thought === true) === wanted ? [part.text] : []))
      .join("");
  const last = chunks.at(-1);
  return {
    thinking: texts(true),
    text: texts(false),
    calls: parts.flatMap((part) => part.functionCall ?? []),
    signatures: parts.flatMap((part) => part.thoughtSignature ?? []),
    images: parts.flatMap((part) => part.inlineData ?? []),
    code: parts.flatMap((part) => part.executableCode?.code ?? []),
    finishReason: last?.candidates?.[0]?.finishReason,
    usage: last?.usageMetadata,
    model: last?.modelVersion,
  };
}

const answer: AssistantMessage = {
  ...header,
  content: [
    {
      type: "thinking",
      thinking: "The user wants the weather.\n\nTwo cities.",
      thinkingSignature: "c2lnLXRob3VnaHQ=",
    },
    { type: "text", text: 'Один момент… 👋 "quoted"', textSignature: "c2lnLXRleHQ=" },
    {
      type: "opaque",
      dialect: "google",
      value: { executableCode: { language: "PYTHON", code: "print(1)" } },
    },
    { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
    {
      type: "toolCall",
      id: "w:1",
      name: "weather",
      arguments: { city: "Lisbon", days: [1, { n: null }] },
      thoughtSignature: "c2lnLWNhbGw=",
    },
    { type: "toolCall", id: "w:2", name: "weather", arguments: {} },
  ],
  stopReason: "toolUse",
};

const assembled = {
  thinking: "The user wants the weather.\n\nTwo cities.",
  text: 'Один момент… 👋 "quoted"',
  calls: [
    { id: "w:1", name: "weather", args: { city: "Lisbon", days: [1, { n: null }] } },
    { id: "w:2", name: "weather", args: {} },
  ],
  signatures: ["c2lnLXRob3VnaHQ=", "c2lnLXRleHQ=", "c2lnLWNhbGw="],
  images: [{ mimeType: "image/png", data: "iVBORw0KGgo=" }],
  code: ["print(1)"],
  finishReason: "STOP",
  usage: {
    promptTokenCount: 1000,
    candidatesTokenCount: 150,
    cachedContentTokenCount: 100,
    totalTokenCount: 1150,
  },
  model: MODEL,
};

const ask = { model: MODEL, contents: "Weather?" };

describe("the official client", () => {
  test.each([1, 7, 64, 100_000])("assembles what we stream, %i bytes at a time", async (chunkSize) => {
    const ai = await client({ payloads: payloadsOf(answer), chunkSize });
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await ai.models.generateContentStream(ask)) chunks.push(chunk);
    expect(assemble(chunks)).toEqual(assembled);
  });

  test("reads the whole answer", async () => {
    const ai = await client({ response: googleApi.response(answer) });
    expect(assemble([await ai.models.generateContent(ask)])).toEqual(assembled);
  });

  test("is told why an answer was cut short", async () => {
    const stopped: AssistantMessage = {
      ...header,
      content: [{ type: "text", text: "so far" }],
      stopReason: "error",
      errorMessage: "Google ended the answer with SAFETY: no",
      ext: { google: { finishReason: "SAFETY", candidate: { finishMessage: "no" } } },
    };
    const ai = await client({ payloads: payloadsOf(stopped), response: googleApi.response(stopped) });
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await ai.models.generateContentStream(ask)) chunks.push(chunk);
    expect(assemble(chunks)).toMatchObject({ text: "so far", finishReason: "SAFETY" });
    expect(assemble([await ai.models.generateContent(ask)])).toMatchObject({
      text: "so far",
      finishReason: "SAFETY",
    });
  });

  test("gets an error for one that failed", async () => {
    const failed: AssistantMessage = {
      ...header,
      content: [{ type: "text", text: "so" }],
      stopReason: "error",
      errorMessage: "the disk is full",
    };
    const ai = await client({ payloads: payloadsOf(failed) });
    const texts: (string | undefined)[] = [];
    const run = async () => {
      for await (const chunk of await ai.models.generateContentStream(ask)) texts.push(chunk.text);
    };
    await expect(run()).rejects.toThrow("the disk is full");
    expect(texts).toEqual(["so"]);
  });

  test("says what our request says", async () => {
    const bodies: unknown[] = [];
    const ai = await client({ response: googleApi.response(answer), onRequest: (body) => bodies.push(body) });
    await ai.models.generateContent({
      model: MODEL,
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      config: {
        systemInstruction: "Be brief.",
        maxOutputTokens: 100,
        tools: [
          {
            functionDeclarations: [{ name: "f", description: "F", parametersJsonSchema: { type: "object" } }],
          },
        ],
      },
    });
    const call = googleApi.readRequest(bodies[0]);
    expect(call.context).toMatchObject({
      systemPrompt: "Be brief.",
      messages: [{ role: "user", content: "Hi" }],
      tools: [{ name: "f", description: "F", parameters: { type: "object" } }],
    });
    expect(call.options).toMatchObject({ maxTokens: 100 });
    expect(googleApi.request(call, {}, () => undefined)).toEqual(bodies[0]);
  });

  test("holds a conversation, tools included", async () => {
    const bodies: unknown[] = [];
    const ai = await client({ payloads: payloadsOf(answer), onRequest: (body) => bodies.push(body) });
    const chat = ai.chats.create({ model: MODEL });
    const send = async (message: string | Part[]) => {
      for await (const chunk of await chat.sendMessageStream({ message }))
        expect(chunk.candidates).toBeDefined();
    };
    await send("Weather?");
    await send([
      { functionResponse: { id: "w:1", name: "weather", response: { output: "18 °C" } } },
      { functionResponse: { id: "w:2", name: "weather", response: { output: "20 °C" } } },
    ]);
    expect(bodies).toHaveLength(2);
    const call = googleApi.readRequest(bodies[1]);
    const [question, first, ...results] = call.context.messages;
    expect(question).toMatchObject({ role: "user", content: "Weather?" });
    if (first?.role !== "assistant") throw new Error("expected an answer");
    // The last piece of a stream is an empty text.
    expect(first.content.map(({ ext: _, ...block }) => block)).toEqual([
      ...answer.content,
      { type: "text", text: "" },
    ]);
    expect(results.map((result) => result.role === "toolResult" && result.toolCallId)).toEqual([
      "w:1",
      "w:2",
    ]);
    expect(googleApi.request(call, { callIds: true }, () => undefined)).toEqual(bodies[1]);
  });
});

describe("our own reader", () => {
  const further = {
    response: { responseId: "r", createTime: "2026-01-01T00:00:00Z" },
    candidate: { groundingMetadata: { webSearchQueries: ["x"] } },
    usage: { thoughtsTokenCount: 50, trafficType: "ON_DEMAND" },
  };

  test.each<[string, AssistantMessage]>([
    ["an answer", answer],
    ["what Google says beside it", { ...answer, ext: { google: further } }],
    ["one that was too long", { ...header, content: [{ type: "text", text: "a" }], stopReason: "length" }],
    ["nothing", header],
    [
      "a failure",
      {
        ...header,
        content: [{ type: "text", text: "a" }],
        usage: price({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
        stopReason: "error",
        errorMessage: "broken",
        ext: { synthesised: ["/usage"], google: { error: { code: 503, status: "UNAVAILABLE" } } },
      },
    ],
    [
      "a blocked prompt",
      {
        ...header,
        stopReason: "error",
        errorMessage: "Google blocked the prompt with OTHER",
        ext: { google: { promptFeedback: { blockReason: "OTHER" } } },
      },
    ],
  ])("reads what we write: %s", (_, message) => {
    const reader = googleApi.streamReader(origin);
    const events = payloadsOf(message).flatMap(({ data }) => reader.push(data));
    events.push(...reader.finish());
    const last = events.at(-1);
    expect(last?.type === "done" ? last.message : last?.type === "error" ? last.error : undefined).toEqual(
      message,
    );
    expect(googleApi.readResponse(googleApi.response(message), origin)).toEqual(message);
  });
});
