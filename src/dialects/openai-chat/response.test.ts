import { describe, expect, test } from "vitest";
import type { Origin } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { priced } from "../../core/message/usage.js";
import { readResponse, response } from "./response.js";

const origin: Origin = {
  provider: "p",
  model: "m",
  timestamp: 1_700_000_000_000,
  price: (tokens) => priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: true,
};

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const body = (message: object, finish_reason: string | null = "stop", more: object = {}) => ({
  id: "r",
  object: "chat.completion",
  created: 1_700_000_001,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }],
  usage,
  ...more,
});

const bodies: [string, object][] = [
  [
    "text",
    body({ content: "x", refusal: null, annotations: [] }, "stop", {
      service_tier: null,
      system_fingerprint: "fp",
    }),
  ],
  ["nothing", body({ content: "" })],
  ["a refusal", body({ refusal: "no" })],
  [
    "calls with spaces in them",
    body(
      { tool_calls: [{ id: "a", type: "function", function: { name: "f.g", arguments: '{ "x": 1.0 }' } }] },
      "tool_calls",
    ),
  ],
  [
    "thinking in two fields",
    body({
      content: "x",
      reasoning: "t",
      reasoning_details: [{ type: "reasoning.text", text: "t", index: 0 }],
    }),
  ],
  [
    "parts",
    body({
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "t" }] },
        { type: "text", text: "x" },
      ],
    }),
  ],
  [
    "images",
    body({ content: "", images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] }),
  ],
  [
    "a detailed bill",
    body({ content: "x" }, "stop", {
      usage: { ...usage, cost: 0.1, completion_tokens_details: { reasoning_tokens: 3 } },
    }),
  ],
  ["no usage", body({ content: "x" }, "stop", { usage: undefined })],
  [
    "an unknown reason",
    body({ content: "x" }, "stop", {
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "x" },
          logprobs: null,
          finish_reason: "eos",
          native_finish_reason: "end",
        },
      ],
    }),
  ],
  ["a filtered answer", body({ content: "x" }, "content_filter")],
  [
    "two answers",
    body({}, "stop", {
      choices: [
        { index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" },
        { index: 1, message: { role: "assistant", content: "y" }, finish_reason: "length" },
      ],
    }),
  ],
  ["an error", { error: { message: "no luck", code: 7 }, user_id: "u" }],
  [
    "more than any number",
    body({ content: "x" }, "stop", { usage: { ...usage, prompt_tokens: Number.POSITIVE_INFINITY } }),
  ],
  ["the one call of old", body({ function_call: { name: "f", arguments: "{}" } }, "function_call")],
];

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(bodies)("%s comes back as it was", (_, given) => {
  expect(plain(response(readResponse(plain(given), origin)))).toEqual(plain(given));
});

describe("reading", () => {
  test("text, calls, usage and reason", () => {
    const call = { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } };
    expect(
      readResponse(body({ content: "x", refusal: null, tool_calls: [call] }, "tool_calls"), origin),
    ).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "x" },
        { type: "toolCall", id: "a", name: "f", arguments: { x: 1 } },
      ],
      api: "openai-completions",
      provider: "p",
      model: "m",
      usage: {
        input: 10,
        output: 5,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 15,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason: "toolUse",
      timestamp: 1_700_000_000_000,
      ext: {
        "openai-chat": {
          id: "r",
          usage: { absent: ["prompt_tokens_details"] },
          fields: { refusal: null },
          response: { fields: { created: 1_700_000_001 } },
          choice: { absent: ["logprobs"] },
        },
      },
    });
  });

  test("images become blocks", () => {
    const given = body({ images: [{ image_url: { url: "https://x.test/a.png" } }] });
    expect(readResponse(given, origin).content).toEqual([{ type: "image", url: "https://x.test/a.png" }]);
  });

  test("an error is an answer that failed", () => {
    expect(readResponse({ error: { message: "no luck" } }, origin)).toMatchObject({
      stopReason: "error",
      errorMessage: "the provider failed: no luck",
    });
  });

  test.each([
    [null],
    [[]],
    [{}],
    [{ choices: [] }],
    [{ choices: [{}] }],
    [{ choices: [{ message: { content: 7 } }] }],
  ])("%j is refused", (given) => expect(() => readResponse(given, origin)).toThrow(DragomanError));
});

test("an answer that failed is written as an error", () => {
  const failed = readResponse({ error: { message: "no luck" } }, origin);
  expect(response({ ...failed, errorMessage: "no time" })).toEqual({
    error: { message: "no time", type: "server_error", param: null, code: null },
  });
});
