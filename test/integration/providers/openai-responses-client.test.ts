import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { priced } from "../../../src/core/message/usage.js";
import { events } from "../../../src/core/stream/events.js";
import { MessageReducer } from "../../../src/core/stream/reduce.js";
import type { AssistantMessage, AssistantMessageEvent } from "../../../src/core/types.js";
import { openaiResponsesApi as api } from "../../../src/dialects/openai-responses/index.js";
import { serveResponses } from "../../fakes/openai-responses.js";

const prices = { input: 2, output: 8, cacheRead: 0.5, cacheWrite: 1 };
const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Two calls." }],
  encrypted_content: "gAAAAAB",
};

const answer: AssistantMessage = {
  role: "assistant",
  id: "01JBASQUE",
  content: [
    { type: "thinking", thinking: "Two calls.", thinkingSignature: JSON.stringify(reasoning) },
    { type: "text", text: "Kaixo 😀 漢\n", textSignature: '{"v":1,"id":"msg_1","phase":"commentary"}' },
    { type: "thinking", thinking: "Unsigned." },
    { type: "toolCall", id: "call_1", name: "read", arguments: { path: 'a"b\\c.ts', lines: [1, 2] } },
    { type: "toolCall", id: "call_2", name: "now", arguments: {} },
    {
      type: "opaque",
      dialect: "openai-responses",
      value: { type: "web_search_call", id: "ws_1", status: "completed" },
    },
    { type: "text", text: "Bai." },
  ],
  api: "openai-responses",
  provider: "openai",
  model: "gpt-5.5",
  usage: priced({ input: 10, output: 7, cacheRead: 5, cacheWrite: 3 }, prices),
  stopReason: "toolUse",
  timestamp: 1_760_000_000_000,
};

/** What an official client is to assemble from it. */
const output = [
  reasoning,
  {
    type: "message",
    role: "assistant",
    id: "msg_1",
    status: "completed",
    phase: "commentary",
    content: [{ type: "output_text", text: "Kaixo 😀 漢\n", annotations: [] }],
  },
  { type: "reasoning", id: "rs_01JBASQUE_2", summary: [{ type: "summary_text", text: "Unsigned." }] },
  {
    type: "function_call",
    id: "fc_01JBASQUE_3",
    call_id: "call_1",
    name: "read",
    arguments: '{"path":"a\\"b\\\\c.ts","lines":[1,2]}',
    status: "completed",
  },
  {
    type: "function_call",
    id: "fc_01JBASQUE_4",
    call_id: "call_2",
    name: "now",
    arguments: "{}",
    status: "completed",
  },
  { type: "web_search_call", id: "ws_1", status: "completed" },
  {
    type: "message",
    role: "assistant",
    id: "msg_01JBASQUE_6",
    status: "completed",
    content: [{ type: "output_text", text: "Bai.", annotations: [] }],
  },
];

const usage = {
  input_tokens: 18,
  input_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 25,
};

const letters = (text: string) => Array.from(text);
const words = (text: string) => text.match(/\S+\s*|\s+/g) ?? [];

/** The events as they are in process, with the message as it is so far. */
function live(message: AssistantMessage, cut: (text: string) => Iterable<string>): AssistantMessageEvent[] {
  const reducer = new MessageReducer();
  return [...events(message, cut)].map((event) => reducer.push(event));
}

function written(all: AssistantMessageEvent[]) {
  const writer = api.streamWriter();
  return all.flatMap((event) => writer.push(event));
}

async function withClient<T>(
  served: Parameters<typeof serveResponses>[0],
  chunkSize: number | undefined,
  use: (client: OpenAI) => Promise<T>,
): Promise<T> {
  const { baseURL, close } = await serveResponses(served, chunkSize);
  try {
    return await use(new OpenAI({ apiKey: "test", baseURL, maxRetries: 0 }));
  } finally {
    await close();
  }
}

const ask = { model: "gpt-5.5", input: "Kaixo?" };

describe("the official client", () => {
  test.each([1, 7, 1000, undefined])("assembles what we stream in chunks of %s bytes", async (size) => {
    const payloads = written([...events(answer, words)]);
    const final = await withClient(payloads, size, (client) => client.responses.stream(ask).finalResponse());
    expect(final).toMatchObject({
      status: "completed",
      model: "gpt-5.5",
      usage,
      output_text: "Kaixo 😀 漢\nBai.",
    });
    expect(final.output).toMatchObject(output);
  });

  test.each([
    ["with the message so far", live(answer, letters)],
    ["without it", [...events(answer, letters)]],
  ])("assembles the same items from the pieces, %s", async (_, all) => {
    const payloads = written(all);
    const items: unknown[] = [];
    const deltas = { text: "", thinking: "", arguments: "" };
    const types = await withClient(payloads, undefined, async (client) => {
      const seen: string[] = [];
      for await (const event of await client.responses.create({ ...ask, stream: true })) {
        seen.push(event.type);
        if (event.type === "response.output_text.delta") deltas.text += event.delta;
        if (event.type === "response.reasoning_summary_text.delta") deltas.thinking += event.delta;
        if (event.type === "response.function_call_arguments.delta") deltas.arguments += event.delta;
        if (event.type === "response.output_item.done") items[event.output_index] = event.item;
      }
      return seen;
    });
    expect(deltas).toEqual({
      text: "Kaixo 😀 漢\nBai.",
      thinking: "Two calls.Unsigned.",
      arguments: '{"path":"a\\"b\\\\c.ts","lines":[1,2]}{}',
    });
    expect(items.map((item) => Reflect.get(Object(item), "type"))).toEqual(output.map(({ type }) => type));
    expect(types.slice(0, 2)).toEqual(["response.created", "response.in_progress"]);
    expect(types.at(-1)).toBe("response.completed");
  });

  test("gets the same without a stream", async () => {
    const final = await withClient(api.response(answer), undefined, (client) => client.responses.create(ask));
    expect(final).toMatchObject({
      id: "resp_01JBASQUE",
      object: "response",
      created_at: 1_760_000_000,
      status: "completed",
      output,
      usage,
      output_text: "Kaixo 😀 漢\nBai.",
    });
  });

  test.each<[string, Partial<AssistantMessage>, object]>([
    [
      "length",
      { stopReason: "length" },
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, error: null },
    ],
    [
      "an error",
      { stopReason: "error", errorMessage: "out of luck" },
      { status: "failed", error: { code: "server_error", message: "out of luck" }, incomplete_details: null },
    ],
    [
      "an abort",
      { stopReason: "aborted" },
      { status: "failed", error: { code: "server_error", message: "the answer was aborted" } },
    ],
  ])("is told of %s", async (_, more, expected) => {
    const payloads = written([...events({ ...answer, ...more })]);
    const final = await withClient(payloads, undefined, (client) =>
      client.responses.stream(ask).finalResponse(),
    );
    expect(final).toMatchObject(expected);
  });

  test("is refused what the API refuses", async () => {
    const refused = withClient([], undefined, (client) =>
      client.responses.create({ model: "gpt-5.5", input: [] }),
    );
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });
});

describe("our own reader", () => {
  const origin = {
    provider: "openai",
    model: "gpt-5.5",
    timestamp: answer.timestamp,
    price: (tokens: Parameters<typeof priced>[0]) => priced(tokens, prices),
    priceKnown: true,
  };

  test("gets back what we stream and what we answer", () => {
    const reader = api.streamReader(origin);
    const streamed = written(live(answer, words)).flatMap(({ data }) => reader.push(data));
    const last = streamed.at(-1);
    const whole = api.readResponse(api.response(answer), origin);
    for (const message of [last?.type === "done" ? last.message : undefined, whole]) {
      expect(message).toMatchObject({ usage: answer.usage, stopReason: "toolUse", model: "gpt-5.5" });
      expect(message?.content).toMatchObject([
        { type: "thinking", thinking: "Two calls." },
        { type: "text", text: "Kaixo 😀 漢\n", textSignature: '{"v":1,"id":"msg_1","phase":"commentary"}' },
        { type: "thinking", thinking: "Unsigned." },
        { type: "toolCall", id: "call_1", name: "read", arguments: { path: 'a"b\\c.ts', lines: [1, 2] } },
        { type: "toolCall", id: "call_2", name: "now", arguments: {} },
        { type: "opaque", value: { type: "web_search_call", id: "ws_1", status: "completed" } },
        { type: "text", text: "Bai." },
      ]);
    }
    expect(whole.content[0]).toEqual(answer.content[0]);
  });
});
