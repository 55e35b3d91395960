import { describe, expect, test } from "vitest";
import type { Origin } from "../../core/api/provider.js";
import { priced } from "../../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { GoogleReader } from "./stream-reader.js";

const origin: Origin = {
  provider: "google",
  model: "gemini-x",
  timestamp: 1_740_000_000_000,
  price: (tokens) => priced(tokens, { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 0 }),
  priceKnown: true,
};

const chunk = (parts: unknown[], rest: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, ...rest }],
});
const STOP = { finishReason: "STOP" };

function read(payloads: readonly unknown[]): {
  message: AssistantMessage;
  events: LiveAssistantMessageEvent[];
} {
  const reader = new GoogleReader(origin);
  const events = payloads.flatMap((payload) => reader.push(payload));
  return { events: [...events, ...reader.finish()], message: reader.message };
}

describe("how it ends", () => {
  test.each([
    ["STOP", "stop", undefined],
    ["MAX_TOKENS", "length", undefined],
    ["CONTINUATION", "length", undefined],
    ["SAFETY", "error", "Google ended the answer with SAFETY: the answer may be unsafe"],
    [
      "RECITATION",
      "error",
      "Google ended the answer with RECITATION: the answer may repeat a source word for word",
    ],
    [
      "MALFORMED_FUNCTION_CALL",
      "error",
      "Google ended the answer with MALFORMED_FUNCTION_CALL: the model made a malformed call",
    ],
    ["NEVER_HEARD_OF", "error", "Google ended the answer with NEVER_HEARD_OF"],
  ])("%s is %s", (finishReason, stopReason, errorMessage) => {
    const { message } = read([chunk([{ text: "so far" }]), chunk([], { finishReason })]);
    expect(message.stopReason).toBe(stopReason);
    expect(message.errorMessage).toBe(errorMessage);
    expect(message.content).toEqual([{ type: "text", text: "so far" }]);
    const isPlain = finishReason === "STOP" || finishReason === "MAX_TOKENS";
    expect(message.ext?.["google"]).toEqual(isPlain ? undefined : { finishReason });
  });

  test("what Google says about it is told", () => {
    const { message } = read([chunk([], { finishReason: "OTHER", finishMessage: "out of ink" })]);
    expect(message.errorMessage).toBe("Google ended the answer with OTHER: out of ink");
  });

  test("older models give a reason with every piece", () => {
    expect(read([chunk([{ text: "a" }], STOP), chunk([{ text: "b" }], STOP)]).message.content).toEqual([
      { type: "text", text: "ab" },
    ]);
  });

  test("without a reason it is not complete", () => {
    const { message, events } = read([chunk([{ text: "a" }])]);
    expect(message.errorMessage).toBe("the stream ended before the answer was complete");
    expect(events.at(-1)).toMatchObject({
      type: "error",
      reason: "error",
      error: { content: [{ text: "a" }] },
    });
  });

  test("a prompt that is blocked is an error", () => {
    const { message, events } = read([
      {
        promptFeedback: { blockReason: "SAFETY", blockReasonMessage: "no" },
        usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 },
      },
      chunk([{ text: "late" }]),
    ]);
    expect(message).toMatchObject({
      stopReason: "error",
      errorMessage: "Google blocked the prompt with SAFETY: no",
      content: [],
      usage: { input: 4 },
      ext: { google: { promptFeedback: { blockReason: "SAFETY" } } },
    });
    expect(events.filter(({ type }) => type === "error" || type === "done")).toHaveLength(1);
  });

  test("an error in the middle keeps what had arrived", () => {
    const { message } = read([
      chunk([{ text: "a" }]),
      { error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } },
    ]);
    expect(message).toMatchObject({
      stopReason: "error",
      errorMessage: "overloaded",
      content: [{ type: "text", text: "a" }],
      ext: { google: { error: { code: 503, status: "UNAVAILABLE" } } },
    });
  });

  test("an abort is one", () => {
    const reader = new GoogleReader(origin);
    reader.push(chunk([{ text: "a" }]));
    expect(reader.fail("stopped", "aborted")).toMatchObject([
      { type: "error", reason: "aborted", error: { errorMessage: "stopped" } },
    ]);
    expect(reader.ended).toBe(true);
  });
});

describe("what is no answer", () => {
  test.each<[string, unknown, string]>([
    ["a text", "hello", "a payload is not an object"],
    ["candidates that are none", { candidates: {} }, "candidates is not a list of objects"],
    ["parts that are none", chunk(["x"]), "the content's parts are not a list of objects"],
    [
      "a content that is none",
      { candidates: [{ content: "x" }] },
      "the content's parts are not a list of objects",
    ],
    [
      "the Interactions API",
      { event_type: "step.delta", delta: { text: "x" } },
      "this is a stream of Google's Interactions API; only generateContent is supported",
    ],
    [
      "the Live API",
      { serverContent: {} },
      "this is a stream of Google's Live API; only generateContent is supported",
    ],
  ])("%s is refused", (_, payload, message) => {
    const reader = new GoogleReader(origin);
    reader.push(chunk([{ text: "kept" }]));
    expect(() => reader.push(payload)).toThrow(
      expect.objectContaining({ code: "provider/bad-response", message }),
    );
    expect(reader.fail(message, "error")).toMatchObject([
      { type: "error", error: { content: [{ text: "kept" }] } },
    ]);
  });

  test("a source nobody knows is named by the answer", () => {
    const reader = new GoogleReader({ ...origin, model: "", timestamp: 0 });
    reader.push({
      ...chunk([{ text: "a" }], STOP),
      modelVersion: "gemini-3",
      createTime: "2026-05-04T20:01:02.264968Z",
    });
    reader.finish();
    expect(reader.message).toMatchObject({ model: "gemini-3", timestamp: 1_777_924_862_264 });
  });
});

test("an unknown reason does not take away calls; a known failure does", () => {
  const call = { functionCall: { id: "c", name: "look", args: {} } };
  const { message, events } = read([chunk([call], { finishReason: "FUNCTION_CALL" })]);
  expect(events.at(-1)).toMatchObject({ type: "done", reason: "toolUse" });
  expect(message.content).toMatchObject([{ type: "toolCall", name: "look" }]);
  expect(read([chunk([call], { finishReason: "SAFETY" })]).message.stopReason).toBe("error");
  expect(read([chunk([{ text: "x" }], { finishReason: "FUNCTION_CALL" })]).message.stopReason).toBe("error");
});
