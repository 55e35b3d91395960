import { describe, expect, test } from "vitest";
import type { Origin } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { priced } from "../../core/message/usage.js";
import type { AssistantMessage } from "../../core/types.js";
import { ChatReader } from "./stream-reader.js";

const origin: Origin = {
  provider: "p",
  model: "m",
  timestamp: 1_700_000_000_000,
  price: (tokens) => priced(tokens, { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: true,
};

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const call = (fields: object) => delta({ tool_calls: [fields] });
const stop = delta({}, "stop");

function read(payloads: readonly unknown[], from: Origin = origin) {
  const reader = new ChatReader(from);
  const events = [...payloads.flatMap((payload) => reader.push(payload)), ...reader.finish()];
  const last = events.at(-1);
  const message: AssistantMessage | undefined =
    last?.type === "done" ? last.message : last?.type === "error" ? last.error : undefined;
  return { events, last, message };
}

const content = (...payloads: unknown[]) => read(payloads).message?.content;

describe("text and thinking", () => {
  test("the events of an answer", () => {
    const { events } = read([
      delta({ role: "assistant", content: "" }),
      delta({ content: "a" }),
      delta({ content: "b" }),
      stop,
      "[DONE]",
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_delta",
      "text_end",
      "done",
    ]);
  });

  test("a piece of reasoning whose index is no number goes on where it began", () => {
    const piece = (text: string) =>
      delta({ reasoning_details: [{ type: "reasoning.text", text, index: { toString: {} } }] });
    expect(content(piece("a"), piece("b"), stop)).toMatchObject([{ type: "thinking", thinking: "ab" }]);
  });

  test("the start event is there at once", () => {
    expect(new ChatReader(origin).push({ choices: [] })).toMatchObject([{ type: "start" }]);
  });

  test("each kind begins a block of its own", () => {
    expect(
      content(
        delta({ reasoning_content: "a" }),
        delta({ content: "b" }),
        delta({ reasoning_content: "c" }),
        delta({ content: "d" }),
        stop,
      ),
    ).toEqual([
      { type: "thinking", thinking: "a" },
      { type: "text", text: "b" },
      { type: "thinking", thinking: "c" },
      { type: "text", text: "d" },
    ]);
  });

  test.each(["reasoning", "reasoning_text"])("thinking remembers that it came in %s", (field) => {
    expect(content(delta({ [field]: "a" }), delta({ [field]: "b" }), stop)).toEqual([
      { type: "thinking", thinking: "ab", ext: { "openai-chat": { field } } },
    ]);
  });

  test("thinking that is said in two fields at once counts once", () => {
    expect(content(delta({ reasoning_content: "a", reasoning: "a" }), stop)).toEqual([
      { type: "thinking", thinking: "a" },
    ]);
  });

  test("details are signed thinking; a signature may come late", () => {
    const detail = (fields: object) => ({ type: "reasoning.text", index: 0, ...fields });
    expect(
      content(
        delta({ reasoning: "a", reasoning_details: [detail({ text: "a", format: "f" })] }),
        delta({ reasoning: "b", reasoning_details: [detail({ text: "b" })] }),
        delta({ content: "c" }),
        delta({ reasoning_details: [detail({ signature: "s" })] }),
        delta({
          reasoning_details: [
            { type: "reasoning.encrypted", data: "d" },
            { type: "reasoning.new", x: 1 },
          ],
        }),
        stop,
      ),
    ).toEqual([
      {
        type: "thinking",
        thinking: "ab",
        thinkingSignature: "s",
        ext: { "openai-chat": { field: "reasoning_details", fields: { index: 0, format: "f" } } },
      },
      { type: "text", text: "c" },
      {
        type: "thinking",
        thinking: "",
        redacted: true,
        thinkingSignature: "d",
        ext: { "openai-chat": { field: "reasoning_details" } },
      },
      {
        type: "opaque",
        dialect: "openai-chat",
        value: { type: "reasoning.new", x: 1 },
        ext: { "openai-chat": { place: "reasoning_details" } },
      },
    ]);
  });

  test("content in parts: text, thinking, and what nobody knows", () => {
    const thought = (text: string) => ({ type: "thinking", thinking: [{ type: "text", text }] });
    expect(
      content(
        delta({ content: [thought("a")] }),
        delta({ content: [thought("b")] }),
        delta({
          content: [
            { type: "text", text: "c" },
            { type: "hologram", x: 1 },
          ],
        }),
        stop,
      ),
    ).toEqual([
      { type: "thinking", thinking: "ab", ext: { "openai-chat": { field: "content" } } },
      { type: "text", text: "c" },
      { type: "opaque", dialect: "openai-chat", value: { type: "hologram", x: 1 } },
    ]);
  });

  test("a refusal is text that says so", () => {
    expect(content(delta({ refusal: "I " }), delta({ refusal: "won't." }), stop)).toEqual([
      { type: "text", text: "I won't.", ext: { "openai-chat": { refusal: true } } },
    ]);
  });

  test("images that the model made", () => {
    expect(
      content(
        delta({ images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] }),
        stop,
      ),
    ).toEqual([{ type: "image", data: "AAAA", mimeType: "image/png" }]);
  });
});

describe("the end", () => {
  test.each([
    ["stop", "stop", undefined],
    ["length", "length", undefined],
    ["model_length", "length", "model_length"],
    ["eos_token", "stop", "eos_token"],
    ["__proto__", "stop", "__proto__"],
  ])("%s is %s", (finish, stopReason, finishReason) => {
    const { last, message } = read([delta({ content: "x" }, finish)]);
    expect(last?.type).toBe("done");
    expect(message?.stopReason).toBe(stopReason);
    expect(message?.ext?.["openai-chat"]).toEqual(finishReason === undefined ? undefined : { finishReason });
  });

  test("a filter is an error with its reason and what had arrived", () => {
    const { last, message } = read([delta({ content: "x" }, "content_filter"), "[DONE]"]);
    expect(last).toMatchObject({ type: "error", reason: "error" });
    expect(message).toMatchObject({
      content: [{ type: "text", text: "x" }],
      errorMessage: "the provider filtered the answer (content_filter)",
      ext: { "openai-chat": { finishReason: "content_filter" } },
    });
  });

  test("[DONE] without a finish reason is an end", () => {
    expect(read([delta({ content: "x" }), "[DONE]"]).last).toMatchObject({ type: "done", reason: "stop" });
  });

  test("neither is an error", () => {
    expect(read([delta({ content: "x" })]).message).toMatchObject({
      content: [{ type: "text", text: "x" }],
      stopReason: "error",
      errorMessage: "the stream ended before the answer was finished",
    });
  });

  test.each<[string, unknown, string]>([
    ["an object", { error: { message: "overloaded", code: 502 } }, "the provider failed: overloaded"],
    ["a text", { error: "overloaded" }, "the provider failed: overloaded"],
    ["no text", { error: [{ toString: {} }] }, 'the provider failed: [{"toString":{}}]'],
    ["of old", { object: "error", message: "overloaded" }, "the provider failed: overloaded"],
    [
      "beside a choice",
      { error: { message: "overloaded" }, ...delta({ content: "y" }, "error") },
      "the provider failed: overloaded",
    ],
  ])("an error in mid-stream (%s) ends it with what had arrived", (_, payload, errorMessage) => {
    const { events, message } = read([delta({ content: "x" }), payload, delta({ content: "z" }), "[DONE]"]);
    expect(events.filter(({ type }) => type === "error" || type === "done")).toHaveLength(1);
    expect(message).toMatchObject({ stopReason: "error", errorMessage });
    expect(JSON.stringify(message?.content)).toMatch(/"text":"xy?"/);
  });

  test("when aborted, a call that was coming says it was cut off", () => {
    const reader = new ChatReader(origin);
    reader.push(call({ index: 0, id: "a", function: { name: "f", arguments: '{"x":[1,' } }));
    expect(reader.fail("aborted", "aborted")).toMatchObject([
      {
        type: "error",
        reason: "aborted",
        error: {
          content: [{ id: "a", arguments: { x: [1] }, argumentsError: "the arguments were cut off" }],
          stopReason: "aborted",
        },
      },
    ]);
    expect(reader.fail("again", "error")).toEqual([]);
  });

  test.each([
    [7],
    ["x"],
    [null],
    [[]],
    [{ choices: 1 }],
    [{ choices: [1] }],
    [{ choices: [{ delta: { tool_calls: 1 } }] }],
  ])("%j is a bad response", (payload) => {
    const pushing = () => new ChatReader(origin).push(payload);
    expect(pushing).toThrow(DragomanError);
    expect(pushing).toThrow(expect.objectContaining({ code: "provider/bad-response" }));
  });
});

describe("usage and the rest", () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
  };

  test.each<[string, object]>([
    ["in a last chunk without choices", { choices: [], usage }],
    ["in a choice", { choices: [{ index: 0, delta: {}, usage }] }],
    ["in x_groq", { choices: [], x_groq: { usage } }],
  ])("%s", (_, payload) => {
    expect(read([delta({ content: "x" }, "stop"), payload, "[DONE]"]).message?.usage).toEqual({
      input: 6,
      output: 5,
      cacheRead: 4,
      cacheWrite: 0,
      totalTokens: 15,
      cost: { input: 0.000006, output: 0.00001, cacheRead: 0, cacheWrite: 0, total: 0.000016 },
    });
  });

  test("missing usage is marked as made up", () => {
    expect(read([delta({ content: "x" }, "stop")]).message?.ext).toEqual({ synthesised: ["/usage"] });
  });

  test("what was billed counts, also where the price is unknown", () => {
    const { message } = read(
      [delta({ content: "x" }, "stop"), { choices: [], usage: { ...usage, cost: 0.25 } }],
      { ...origin, priceKnown: false },
    );
    expect(message?.usage.cost.total).toBe(0.25);
    expect(message?.ext?.synthesised).toEqual([
      "/usage/cost/input",
      "/usage/cost/output",
      "/usage/cost/cacheRead",
      "/usage/cost/cacheWrite",
    ]);
  });

  test("numbers that cannot be are nothing", () => {
    const odd = { prompt_tokens: -1, completion_tokens: "many", prompt_tokens_details: { cached_tokens: 9 } };
    expect(read([delta({ content: "x" }, "stop"), { choices: [], usage: odd }]).message?.usage).toMatchObject(
      { input: 0, output: 0, cacheRead: 0, totalTokens: 0 },
    );
  });

  test("what the server says beyond the API is kept", () => {
    const { message } = read([
      {
        id: "r",
        created: 1,
        model: "m-2026",
        service_tier: "default",
        obfuscation: "zzz",
        ...delta({ content: "x", annotations: [1] }),
      },
      { id: "r", choices: [{ index: 0, delta: { annotations: [2] }, logprobs: { content: ["a"] } }] },
      {
        id: "r",
        choices: [
          {
            index: 0,
            delta: {},
            logprobs: { content: ["b"] },
            native_finish_reason: "end",
            finish_reason: "stop",
          },
        ],
      },
      {
        choices: [
          { index: 1, delta: { content: "other " } },
          { index: 1, delta: { content: "answer" }, finish_reason: "stop" },
        ],
        usage,
      },
    ]);
    expect(message?.content).toEqual([{ type: "text", text: "x" }]);
    expect(message?.ext).toEqual({
      "openai-chat": {
        id: "r",
        response: { fields: { service_tier: "default", model: "m-2026", created: 1 } },
        choice: {
          fields: { logprobs: { content: ["a", "b"] }, native_finish_reason: "end" },
          inside: { message: { fields: { annotations: [1, 2] } } },
        },
        choices: [{ index: 1, delta: { content: "other answer" }, finish_reason: "stop" }],
      },
    });
  });

  test("who answered and when is taken from the answer where nobody knows", () => {
    const { message } = read([{ created: 7, model: "served", ...delta({ content: "x" }, "stop") }], {
      ...origin,
      model: "",
      timestamp: 0,
    });
    expect(message).toMatchObject({ model: "served", timestamp: 7000 });
  });
});
