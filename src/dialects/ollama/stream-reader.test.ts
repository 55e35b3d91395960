import { describe, expect, test } from "vitest";
import type { Origin } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { priced } from "../../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { ollamaApi } from "./index.js";

const origin: Origin = {
  provider: "ollama",
  model: "qwen3:8b",
  timestamp: 1700000000000,
  price: (tokens) => priced(tokens, { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: true,
};

const head = { model: "qwen3:8b", created_at: "2026-11-15T08:00:00.123456Z" };
const line = (message: object, more: object = {}) => ({
  ...head,
  message: { role: "assistant", content: "", ...message },
  done: false,
  ...more,
});
const end = { done: true, done_reason: "stop", prompt_eval_count: 12, eval_count: 5, total_duration: 99 };

function read(payloads: readonly unknown[]) {
  const reader = ollamaApi.streamReader(origin);
  const events: LiveAssistantMessageEvent[] = [];
  for (const payload of payloads) events.push(...reader.push(payload));
  if (!reader.ended) events.push(...reader.finish());
  const last = events.at(-1);
  if (last?.type !== "done" && last?.type !== "error") throw new Error("no terminal event");
  return { events, message: last.type === "done" ? last.message : last.error };
}

const types = (events: readonly LiveAssistantMessageEvent[]) => events.map(({ type }) => type);

describe("a streamed answer", () => {
  test("thinking, text and usage", () => {
    const { events, message } = read([
      line({ thinking: "Hm" }),
      line({ thinking: "m." }),
      line({ content: "Blue" }),
      line({ content: "." }),
      line({}, end),
    ]);
    expect(types(events)).toEqual([
      "start",
      "thinking_start",
      "thinking_delta",
      "thinking_delta",
      "thinking_end",
      "text_start",
      "text_delta",
      "text_delta",
      "text_end",
      "done",
    ]);
    expect(message).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hmm." },
        { type: "text", text: "Blue." },
      ],
      api: "ollama-chat",
      provider: "ollama",
      model: "qwen3:8b",
      usage: {
        input: 12,
        output: 5,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 17,
        cost: { input: 0.000012, output: 0.00001, cacheRead: 0, cacheWrite: 0, total: 0.000022 },
      },
      stopReason: "stop",
      timestamp: 1700000000000,
      ext: {
        ollama: {
          response: {
            ours: { created_at: "2023-11-14T22:13:20.000Z" },
            fields: { created_at: "2026-11-15T08:00:00.123456Z", total_duration: 99 },
          },
        },
      },
    } satisfies AssistantMessage);
  });

  test("the start is there with the first line, whatever it brings", () => {
    expect(types(ollamaApi.streamReader(origin).push(line({})))).toEqual(["start"]);
  });

  test("calls come whole; those without an id get one", () => {
    const { message, events } = read([
      line({ content: "I look." }),
      line({
        tool_calls: [{ function: { index: 0, name: "weather", arguments: { city: "Oslo", days: [1] } } }],
      }),
      line({
        tool_calls: [
          { id: "call_x", function: { name: "weather", arguments: {} } },
          { function: { name: "now" } },
        ],
      }),
      line({}, end),
    ]);
    expect(message.stopReason).toBe("toolUse");
    expect(message.content).toEqual([
      { type: "text", text: "I look." },
      {
        type: "toolCall",
        id: "call_1700000000000_0",
        name: "weather",
        arguments: { city: "Oslo", days: [1] },
        ext: { ollama: { noId: true, function: { fields: { index: 0 }, ours: {} } } },
      },
      { type: "toolCall", id: "call_x", name: "weather", arguments: {} },
      {
        type: "toolCall",
        id: "call_1700000000000_2",
        name: "now",
        arguments: {},
        ext: { ollama: { noId: true, function: { absent: ["arguments"], ours: { arguments: {} } } } },
      },
    ]);
    expect(message.ext?.synthesised).toEqual(["/content/1/id", "/content/3/id"]);
    expect(types(events).filter((type) => type === "toolcall_end")).toHaveLength(3);
  });

  test("arguments as text, as imitations send them, are read and mended", () => {
    const { message } = read([
      line({ tool_calls: [{ function: { name: "f", arguments: '{"a":"x\ny"}' } }] }),
      line({ tool_calls: [{ id: "c", function: { name: "f", arguments: "[1" } }] }),
      line({}, end),
    ]);
    expect(message.content).toMatchObject([
      { type: "toolCall", arguments: { a: "x\ny" } },
      { type: "toolCall", id: "c", arguments: {}, argumentsError: expect.stringContaining("not JSON") },
    ]);
  });

  test("what comes between is a block of its own", () => {
    const { message } = read([
      line({ content: "A" }),
      line({ tool_calls: [{ id: "c", function: { name: "f", arguments: {} } }] }),
      line({ content: "B", images: ["iVBORw0KGgo=", "AAEC"] }),
      line({ content: "C" }),
      line({}, end),
    ]);
    expect(message.content).toEqual([
      { type: "text", text: "A" },
      { type: "toolCall", id: "c", name: "f", arguments: {} },
      { type: "text", text: "B" },
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      { type: "image", data: "AAEC", mimeType: "application/octet-stream" },
      { type: "text", text: "C" },
    ]);
    expect(message.ext?.synthesised).toEqual(["/content/4/mimeType"]);
    // Sent back, the pieces are the one text they were.
    expect(ollamaApi.response(message)).toMatchObject({ message: { content: "ABC" } });
  });

  test("fields and calls that we do not know are kept", () => {
    const { message } = read([
      line({ content: "A", audio: "AA", tool_calls: [{ custom: 1 }] }, { logprobs: [1], remote_model: "x" }),
      line({ audio: "BB", mood: { calm: true } }, { logprobs: [2, 3], remote_model: "y" }),
      line({}, end),
    ]);
    expect(message.content).toEqual([
      { type: "text", text: "A" },
      { type: "opaque", dialect: "ollama", value: { custom: 1 } },
    ]);
    expect(message.ext?.["ollama"]).toMatchObject({
      form: { fields: { audio: "AABB", mood: { calm: true } } },
      response: { fields: { logprobs: [1, 2, 3], remote_model: "y" } },
    });
  });

  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["load", "stop"],
    ["unload", "stop"],
    ["something new", "stop"],
    [undefined, "stop"],
  ])("done_reason %s is %s, and is written back", (reason, stopReason) => {
    const { done_reason: _, ...bare } = end;
    const last = line({}, reason === undefined ? bare : { ...bare, done_reason: reason });
    const { message } = read([line({ content: "x" }), last]);
    expect(message.stopReason).toBe(stopReason);
    expect(ollamaApi.response(message)["done_reason"]).toBe(reason);
  });

  test("counts that are not there are zero, and marked", () => {
    const { message } = read([line({ content: "x" }, { done: true, eval_count: 3 })]);
    expect(message.usage).toMatchObject({ input: 0, output: 3, totalTokens: 3 });
    expect(message.ext?.synthesised).toEqual(["/usage/input"]);
    expect(ollamaApi.response(message)).not.toHaveProperty("prompt_eval_count");
  });

  test("nothing counts after the end", () => {
    const reader = ollamaApi.streamReader(origin);
    reader.push(line({ content: "x" }, end));
    expect([reader.push(line({ content: "y" })), reader.finish(), reader.ended]).toEqual([[], [], true]);
  });
});

describe("a stream that fails", () => {
  test("says so in a line", () => {
    const { events, message } = read([line({ content: "Ye" }), { error: "the runner has crashed" }]);
    expect(types(events).at(-1)).toBe("error");
    expect(message).toMatchObject({
      content: [{ type: "text", text: "Ye" }],
      stopReason: "error",
      errorMessage: "the runner has crashed",
    });
  });

  test("or in an object, as imitations do", () => {
    const { message } = read([{ error: { message: "no such model", code: 404 } }]);
    expect(message.errorMessage).toBe("no such model");
    expect(ollamaApi.response(message)).toEqual({ error: { message: "no such model", code: 404 } });
  });

  test("or just ends", () => {
    const { message } = read([line({ content: "Ye" })]);
    expect(message).toMatchObject({
      content: [{ type: "text", text: "Ye" }],
      stopReason: "error",
      errorMessage: "the stream ended before the line with done: true",
    });
  });

  test("or is given up", () => {
    const reader = ollamaApi.streamReader(origin);
    reader.push(line({ thinking: "Hm" }));
    expect(reader.fail("stopped", "aborted")).toMatchObject([
      { type: "error", reason: "aborted", error: { content: [{ thinking: "Hm" }], stopReason: "aborted" } },
    ]);
  });

  test.each([
    ["text"],
    [[1]],
    [null],
    [line({ content: 5 })],
    [line({ thinking: {} })],
    [line({ images: "x" })],
    [line({ images: [1] })],
    [line({ tool_calls: {} })],
    [{ ...head, message: "hi", done: false }],
  ])("holds what is no line: %j", (payload) => {
    expect(() => ollamaApi.streamReader(origin).push(payload)).toThrow(DragomanError);
  });
});

describe("an answer of one piece", () => {
  const body = {
    model: "qwen3:8b",
    created_at: "2026-11-15T08:00:00.123456Z",
    message: {
      role: "assistant",
      content: "Blue.",
      thinking: "Hm.",
      tool_calls: [{ id: "c", type: "function", function: { index: 0, name: "f", arguments: { a: 1 } } }],
      refusal: null,
    },
    done: true,
    done_reason: "stop",
    total_duration: 5,
    prompt_eval_count: 26,
    prompt_eval_duration: 3,
    eval_count: 7,
    eval_duration: 4,
  };
  const nobody = { ...origin, provider: "", model: "", timestamp: 0 };

  test.each([
    [body],
    [{ ...body, message: { role: "assistant", content: "" }, done_reason: "load", eval_count: undefined }],
    [{ ...body, message: { role: "model", content: null, thinking: "", tool_calls: [] } }],
    [{ error: "model 'x' not found", signin_url: "https://example.com" }],
  ])("is written back as it was: %j", (given) => {
    const sent = JSON.parse(JSON.stringify(given));
    expect(JSON.parse(JSON.stringify(ollamaApi.response(ollamaApi.readResponse(sent, origin))))).toEqual(
      sent,
    );
    expect(JSON.parse(JSON.stringify(ollamaApi.response(ollamaApi.readResponse(sent, nobody))))).toEqual(
      sent,
    );
  });

  test("says itself who answered and when, if nobody else does", () => {
    const { model, timestamp } = ollamaApi.readResponse(body, nobody);
    expect([model, timestamp]).toEqual(["qwen3:8b", Date.UTC(2026, 10, 15, 8, 0, 0, 123)]);
  });

  test("that is not done is an error", () => {
    expect(ollamaApi.readResponse({ ...body, done: false }, origin).stopReason).toBe("error");
  });
});
