import { expect, test } from "vitest";
import { DragomanError } from "../core/error.js";
import { emptyUsage } from "../core/message/usage.js";
import type { AssistantMessage } from "../core/types.js";
import { type ApiName, apiNames, loadApi } from "../dialects/registry.js";
import { httpFailure, networkFailure } from "./failure.js";
import { reasonOfAnswer, reasonOfError } from "./fallback-reason.js";

const http = (status: number, body: object, headers = {}) =>
  httpFailure(status, new Headers(headers), JSON.stringify(body), 0);

test.each<[string, unknown, string | undefined]>([
  [
    "Anthropic 529",
    http(529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    "overload",
  ],
  [
    "Google 503",
    http(503, { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }),
    "overload",
  ],
  [
    "Ollama 503",
    http(503, { error: "server busy, please try again. maximum pending requests exceeded" }),
    "overload",
  ],
  [
    "Moonshot 429",
    http(429, { error: { type: "engine_overloaded_error", message: "The engine is currently overloaded" } }),
    "overload",
  ],
  ["429", http(429, { error: { type: "rate_limit_error", message: "Slow down" } }), "rateLimit"],
  [
    "429 that is not to be retried",
    http(429, { error: "Slow down" }, { "x-should-retry": "false" }),
    "rateLimit",
  ],
  [
    "Google 429",
    http(429, {
      error: { code: 429, message: "You exceeded your current quota", status: "RESOURCE_EXHAUSTED" },
    }),
    "rateLimit",
  ],
  ["402", http(402, { error: "Payment Required" }), "rateLimit"],
  [
    "Anthropic, too long",
    http(400, {
      error: { type: "invalid_request_error", message: "prompt is too long: 9 tokens > 8 maximum" },
    }),
    "context",
  ],
  [
    "OpenAI, too long",
    http(400, { error: { code: "context_length_exceeded", message: "too long" } }),
    "context",
  ],
  ["500", http(500, { error: "no" }), "unavailable"],
  ["502 of a proxy", http(502, {}), "unavailable"],
  ["408", http(408, {}), "unavailable"],
  ["no connection", networkFailure("the provider cannot be reached", new Error("refused")), "unavailable"],
  ["silence", new DragomanError("stream/stalled", "nothing came"), "unavailable"],
  ["a page of HTML", new DragomanError("provider/bad-response", "not JSON"), "unavailable"],
  ["400", http(400, { error: "the temperature is too high" }), undefined],
  ["401", http(401, { error: "wrong key" }), undefined],
  ["403", http(403, { error: "not allowed" }), undefined],
  ["404", http(404, { error: "no such model" }), undefined],
  ["no key", new DragomanError("provider/no-key", "no key"), undefined],
  ["an invalid conversation", new DragomanError("model/invalid", "no messages"), undefined],
  ["a defect", new TypeError("x is not a function"), undefined],
])("%s", (_, error, reason) => {
  expect(reasonOfError(error, "anthropic")).toBe(reason);
});

test("an error of a connector has no code", () => {
  expect(reasonOfError(new Error("model overloaded"), undefined)).toBe("overload");
  expect(reasonOfError(new Error("no"), undefined)).toBe("unavailable");
});

const answer = (more: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  content: [],
  api: "",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "error",
  timestamp: 0,
  ...more,
});

test.each<[ApiName, string, string]>([
  ["anthropic", "Overloaded", "overload"],
  ["openai-responses", "Rate limit reached for gpt-5.5", "rateLimit"],
  ["bedrock", "Too many requests, please wait before trying again.", "rateLimit"],
  ["google", "Internal error encountered.", "unavailable"],
  ["openai-chat", "the stream ended before the answer was complete", "unavailable"],
  ["ollama", "model runner has unexpectedly stopped", "unavailable"],
])("an error within a stream of %s: %s", async (api, errorMessage, reason) => {
  expect(await reasonOfAnswer(answer({ errorMessage }), api)).toBe(reason);
});

/** The last payloads of a stream in which the provider or the model refuses to answer. */
const refusals: Record<ApiName, object[]> = {
  anthropic: [
    {
      type: "message_start",
      message: { id: "m1", type: "message", role: "assistant", model: "m", content: [], usage: {} },
    },
    { type: "message_delta", delta: { stop_reason: "refusal" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ],
  "openai-chat": [{ id: "1", choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] }],
  "openai-responses": [
    {
      type: "response.incomplete",
      response: {
        ...{ id: "r1", object: "response", status: "incomplete", output: [], error: null },
        incomplete_details: { reason: "content_filter" },
      },
    },
  ],
  google: [{ candidates: [{ finishReason: "SAFETY" }] }],
  ollama: [{ model: "m", message: { role: "assistant", content: "" }, done: true, done_reason: "stop" }],
  bedrock: [
    { messageStart: { role: "assistant" } },
    { messageStop: { stopReason: "guardrail_intervened" } },
    { metadata: { usage: { inputTokens: 1, outputTokens: 0, totalTokens: 1 } } },
  ],
};

test.each(apiNames)("a refusal to answer has no reason: %s", async (name) => {
  const reader = (await loadApi(name)).streamReader({
    ...{ provider: "p", model: "m", timestamp: 0, price: emptyUsage, priceKnown: true },
  });
  const events = [...refusals[name].flatMap((payload) => reader.push(payload)), ...reader.finish()];
  const end = events.at(-1);
  const message = end?.type === "error" ? end.error : end?.type === "done" ? end.message : undefined;
  expect(message?.stopReason).toBe(name === "ollama" ? "stop" : "error");
  expect(message && (await reasonOfAnswer(message, name))).toBeUndefined();
});

test("the code that an answer states takes precedence over its words", async () => {
  const failure = { code: "provider/context-overflow" };
  expect(await reasonOfAnswer(answer({ errorMessage: "Overloaded", ext: { failure } }), "anthropic")).toBe(
    "context",
  );
});

test("an abort and an answer have no reason", async () => {
  expect(await reasonOfAnswer(answer({ stopReason: "aborted" }), "anthropic")).toBeUndefined();
  expect(await reasonOfAnswer(answer({ stopReason: "stop" }), "anthropic")).toBeUndefined();
});
