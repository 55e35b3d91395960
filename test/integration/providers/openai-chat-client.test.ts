import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import type { Origin, StreamPayload } from "../../../src/core/api/provider.js";
import { type AssistantMessage, type Cut, events } from "../../../src/core/index.js";
import { priced } from "../../../src/core/message/usage.js";
import { openaiChatApi } from "../../../src/dialects/openai-chat/index.js";
import { type FakeAnswer, fakeOpenAiChat } from "../../fakes/openai-chat.js";

const message: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Hm, 漢字 😀…" },
    { type: "text", text: "Voilà.\n\nTwo lines." },
    { type: "toolCall", id: "call_1", name: "save", arguments: { text: 'a "b" \\ \n é', n: [1, null] } },
    { type: "toolCall", id: "call_2", name: "weather.now", arguments: {} },
  ],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: {
    input: 10,
    output: 20,
    cacheRead: 30,
    cacheWrite: 40,
    totalTokens: 100,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp: 1_700_000_000_000,
  id: "01J",
};

const expectedCalls = [
  {
    id: "call_1",
    type: "function",
    function: { name: "save", arguments: '{"text":"a \\"b\\" \\\\ \\n é","n":[1,null]}' },
  },
  { id: "call_2", type: "function", function: { name: "weather.now", arguments: "{}" } },
];

const expectedUsage = {
  prompt_tokens: 80,
  completion_tokens: 20,
  total_tokens: 100,
  prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 40 },
};

const inPieces: Cut = (text) => text.match(/.{1,3}/gsu) ?? [];

function streamOf(answer: AssistantMessage, cut?: Cut): StreamPayload[] {
  const writer = openaiChatApi.streamWriter();
  return [...events(answer, cut)].flatMap((event) => writer.push(event));
}

let fake: Awaited<ReturnType<typeof fakeOpenAiChat>> | undefined;
afterEach(async () => {
  await fake?.close();
  fake = undefined;
});

async function clientOf(answer: FakeAnswer): Promise<OpenAI> {
  fake = await fakeOpenAiChat(() => answer);
  return new OpenAI({ baseURL: fake.baseUrl, apiKey: "none", maxRetries: 0 });
}

const asked = { model: "any", messages: [{ role: "user" as const, content: "Go." }] };

describe("the official client", () => {
  test.each([1, 2, 7, 64, 65_536])("assembles our stream, %i bytes at a time", async (chunkSize) => {
    const client = await clientOf({ payloads: streamOf(message, inPieces), chunkSize });
    const completion = await client.chat.completions.stream(asked).finalChatCompletion();
    expect(completion).toMatchObject({
      id: "01J",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "claude-opus-4-6",
      usage: expectedUsage,
    });
    const [choice] = completion.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    expect(choice?.message.content).toBe("Voilà.\n\nTwo lines.");
    expect(choice?.message.tool_calls).toMatchObject(expectedCalls);
  });

  test("reads the chunks one by one, thinking included", async () => {
    const client = await clientOf({ payloads: streamOf(message, inPieces) });
    let thinking = "";
    const kinds: string[] = [];
    for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
      const delta: { reasoning_content?: string; content?: string | null } = chunk.choices[0]?.delta ?? {};
      thinking += delta.reasoning_content ?? "";
      kinds.push(chunk.choices.length === 0 ? "usage" : (chunk.choices[0]?.finish_reason ?? "delta"));
    }
    expect(thinking).toBe("Hm, 漢字 😀…");
    expect(kinds.slice(-3)).toEqual(["delta", "tool_calls", "usage"]);
  });

  test("reads our whole answer", async () => {
    const client = await clientOf({ body: openaiChatApi.response(message) });
    const completion = await client.chat.completions.create(asked);
    expect(completion).toEqual({
      id: "01J",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "claude-opus-4-6",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Voilà.\n\nTwo lines.",
            refusal: null,
            reasoning_content: "Hm, 漢字 😀…",
            tool_calls: expectedCalls,
          },
          logprobs: null,
          finish_reason: "tool_calls",
        },
      ],
      usage: expectedUsage,
    });
  });

  test.each([
    ["stop", "stop"],
    ["length", "length"],
  ] as const)("sees %s as %s", async (stopReason, finishReason) => {
    const answer: AssistantMessage = { ...message, content: [{ type: "text", text: "x" }], stopReason };
    const client = await clientOf({ payloads: streamOf(answer) });
    const completion = await client.chat.completions.stream(asked).finalChatCompletion();
    expect(completion.choices[0]?.finish_reason).toBe(finishReason);
  });

  test("sees an answer that failed as an error, after what had arrived", async () => {
    const failed: AssistantMessage = { ...message, stopReason: "error", errorMessage: "out of luck" };
    const client = await clientOf({ payloads: streamOf(failed) });
    let text = "";
    const reading = async () => {
      for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? "";
      }
    };
    await expect(reading()).rejects.toThrow("out of luck");
    expect(text).toBe("Voilà.\n\nTwo lines.");
  });

  test("is understood", async () => {
    const client = await clientOf({ body: openaiChatApi.response(message) });
    await client.chat.completions.create({
      model: "m",
      messages: [
        { role: "developer", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look." },
            { type: "image_url", image_url: { url: "https://x.test/a.png" } },
          ],
        },
      ],
      tools: [
        { type: "function", function: { name: "f", description: "F.", parameters: { type: "object" } } },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      max_completion_tokens: 9,
      reasoning_effort: "minimal",
      top_p: 0.5,
    });
    expect(openaiChatApi.readRequest(fake?.requests[0])).toEqual({
      model: "m",
      stream: false,
      context: {
        systemPrompt: "Be brief.",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "Look." },
              { type: "image", url: "https://x.test/a.png" },
            ],
            timestamp: 0,
            ext: { synthesised: ["/timestamp"] },
          },
        ],
        tools: [{ name: "f", description: "F.", parameters: { type: "object" } }],
      },
      options: {
        maxTokens: 9,
        thinking: "minimal",
        toolChoice: { name: "f" },
        topP: 0.5,
        form: { system: { fields: { role: "developer" } } },
      },
    });
  });
});

describe("what we write we read", () => {
  const origin: Origin = {
    provider: "anthropic",
    model: "claude-opus-4-6",
    timestamp: 1_700_000_000_000,
    price: (tokens) => priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
    priceKnown: true,
  };
  const same = {
    content: message.content,
    usage: message.usage,
    stopReason: "toolUse",
    api: "openai-completions",
    model: "claude-opus-4-6",
  };

  test("as a stream", () => {
    const reader = openaiChatApi.streamReader(origin);
    const read = streamOf(message, inPieces).flatMap(({ data }) => reader.push(data));
    expect(read.at(-1)).toMatchObject({ type: "done", reason: "toolUse", message: same });
    expect(reader.ended).toBe(true);
  });

  test("as a whole", () => {
    expect(openaiChatApi.readResponse(openaiChatApi.response(message), origin)).toMatchObject({
      ...same,
      // The name does not fit a request, so it is kept as it was.
      content: [...message.content.slice(0, 3), { type: "toolCall", id: "call_2", name: "weather.now" }],
    });
  });
});
