import { expect, test } from "vitest";
import { fakeOpenAiChat } from "../../test/fakes/openai-chat.js";
import { says } from "../../test/fakes/scripted-model.js";
import { DragomanError } from "../core/error.js";
import { emptyUsage } from "../core/message/usage.js";
import { events } from "../core/stream/events.js";
import { openaiChatApi } from "../dialects/openai-chat/index.js";
import { connect } from "./connect.js";
import type { CallUsage, Meter } from "./meter.js";

const hello = [{ role: "user" as const, content: "one two three", timestamp: 0 }];
const script = (text: string) => [{ role: "user" as const, content: text, timestamp: 0 }];

/** Remembers how calls ended: their tokens in and out, or that there was no answer. */
function recorder() {
  const ended: string[] = [];
  const meter: Meter = {
    begin:
      async ({ provider, id }) =>
      (used: CallUsage | undefined) => {
        const tokens = used === undefined ? "no answer" : `${used.usage.input} in, ${used.usage.output} out`;
        ended.push(`${provider}/${id}: ${tokens}${used?.isPriced === false ? ", price unknown" : ""}`);
      },
  };
  return { ended, meter };
}

test("a call is metered once, before its terminal event is out", async () => {
  const { ended, meter } = recorder();
  const seen: string[] = [];
  for await (const event of connect("demo/echo", { meter }).stream({ messages: hello })) {
    if (event.type === "done") seen.push(...ended);
  }
  expect(seen).toEqual(["demo/echo: 3 in, 3 out, price unknown"]);
  expect(ended).toHaveLength(1);
});

test("a caller that leaves is metered with what was reported", async () => {
  const { ended, meter } = recorder();
  for await (const event of connect("demo/echo", { meter }).stream({ messages: hello })) {
    if (event.type === "text_delta") break;
  }
  expect(ended).toEqual(["demo/echo: 0 in, 0 out, price unknown"]);
});

test("a request that the provider refuses used nothing", async () => {
  const { ended, meter } = recorder();
  const model = connect("demo/script", { meter, maxRetries: 0 });
  await expect(model.complete({ messages: script("fail: 400") })).rejects.toThrow("HTTP 400");
  expect(ended).toEqual(["demo/script: no answer"]);
});

test("embeddings are metered, and refused", async () => {
  const { ended, meter } = recorder();
  await connect("demo/echo", { meter }).embed(["one two", "three"]);
  expect(ended).toEqual(["demo/echo: 3 in, 0 out, price unknown"]);
  const refusing: Meter = {
    begin: () => Promise.reject(new DragomanError("budget/spent", "nothing is left")),
  };
  await expect(connect("demo/echo", { meter: refusing }).embed(["one"])).rejects.toThrow("nothing is left");
});

test("a refused call is not sent", async () => {
  const upstream = await fakeOpenAiChat(() => ({ payloads: [] }));
  const meter: Meter = {
    begin: () => Promise.reject(new DragomanError("budget/spent", "nothing is left")),
  };
  const model = connect("acme/m", { baseUrl: upstream.baseUrl, apiKey: "k", meter });
  await expect(model.complete({ messages: hello })).rejects.toThrow("nothing is left");
  await expect(model.forward({ messages: [] }).next()).rejects.toThrow("nothing is left");
  expect(upstream.requests).toEqual([]);
  await upstream.close();
});

test("a forwarded call is metered, also when its content is not read", async () => {
  const writer = openaiChatApi.streamWriter();
  const answer = {
    ...says("one two three four"),
    usage: { ...emptyUsage(), input: 7, output: 4, totalTokens: 11 },
  };
  const payloads = [...events(answer)].flatMap((event) => writer.push(event));
  const upstream = await fakeOpenAiChat(() => ({ payloads }));
  const { ended, meter } = recorder();
  const model = connect("acme/m", { baseUrl: upstream.baseUrl, apiKey: "k", meter });
  const body = { messages: [{ role: "user", content: "hi" }] };
  for (const skim of [false, true]) for await (const _ of model.forward(body, { skim }));
  const expected = "acme/m: 7 in, 4 out, price unknown";
  expect(ended).toEqual([expected, expected]);
  await upstream.close();
});

/** An answer of Anthropic's API that does not end before it is aborted. */
function endlessAnswer(signal: AbortSignal | null | undefined): Response {
  const usage = { input_tokens: 25, output_tokens: 1, cache_read_input_tokens: 7 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage };
  const payloads = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
  ];
  const text = payloads
    .map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`)
    .join("");
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

test.each(["abort", "leave"])(
  "a client that ends a forwarded stream early pays what was reported: %s",
  async (how) => {
    const { ended, meter } = recorder();
    const model = connect("anthropic/claude-opus-4-6", {
      apiKey: "k",
      fetch: async (_, { signal }) => endlessAnswer(signal),
      meter,
    });
    const controller = new AbortController();
    const { signal } = controller;
    const body = { max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
    for await (const _ of model.forward(body, { signal, skim: true })) {
      if (how === "leave") break;
      controller.abort();
    }
    expect(ended).toEqual(["anthropic/claude-opus-4-6: 25 in, 1 out, price unknown"]);
  },
);

const reasoned: [string, object[]][] = [
  [
    "openai/gpt-6.1-sol",
    [
      { type: "response.created", response: { id: "r", model: "m", status: "in_progress", output: [] } },
      {
        type: "response.completed",
        response: {
          id: "r",
          model: "m",
          status: "completed",
          output: [],
          usage: { input_tokens: 9, output_tokens: 8, output_tokens_details: { reasoning_tokens: 5 } },
        },
      },
    ],
  ],
  [
    "groq/llama-3.3-70b-versatile",
    [
      { id: "c", model: "m", choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] },
      {
        id: "c",
        model: "m",
        choices: [],
        usage: { prompt_tokens: 9, completion_tokens: 8, completion_tokens_details: { reasoning_tokens: 5 } },
      },
    ],
  ],
  [
    "google/gemini-3.8-flash",
    [
      {
        candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, thoughtsTokenCount: 5 },
      },
    ],
  ],
];

test.each(reasoned)("reasoning tokens are counted apart: %s", async (name, payloads) => {
  const text = payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join("");
  const ended: string[] = [];
  const meter: Meter = {
    begin: async () => (used) =>
      void ended.push(`${used?.usage.input} in, ${used?.usage.output} out, ${used?.reasoning} reasoning`),
  };
  const headers = { "content-type": "text/event-stream" };
  const model = connect(name, { apiKey: "k", fetch: async () => new Response(text, { headers }), meter });
  await model.complete({ messages: hello });
  expect(ended).toEqual(["9 in, 8 out, 5 reasoning"]);
});
