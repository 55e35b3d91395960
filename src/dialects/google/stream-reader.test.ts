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

const contentOf = (...payloads: unknown[]) => read(payloads).message.content;

describe("text and thinking", () => {
  test("pieces of a kind are one block", () => {
    const { events, message } = read([
      chunk([{ text: "Hm", thought: true }]),
      chunk([{ text: "m.", thought: true }, { text: "Hel" }]),
      chunk([{ text: "lo" }], STOP),
    ]);
    expect(message.content).toEqual([
      { type: "thinking", thinking: "Hmm." },
      { type: "text", text: "Hello" },
    ]);
    expect(events.map(({ type }) => type)).toEqual([
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
  });

  test("a signature ends its block", () => {
    expect(
      contentOf(
        chunk([{ text: "a" }, { text: "b", thoughtSignature: "s1" }, { text: "c" }]),
        chunk([{ text: "", thoughtSignature: "s2" }]),
        chunk([{ text: "", thought: true, thoughtSignature: "s3" }, { text: "" }], STOP),
      ),
    ).toEqual([
      { type: "text", text: "ab", textSignature: "s1" },
      { type: "text", text: "c", textSignature: "s2" },
      { type: "thinking", thinking: "", thinkingSignature: "s3" },
    ]);
  });

  test("the start is there with the first payload, and what arrives is in the live message", () => {
    const reader = new GoogleReader(origin);
    const [start, , delta] = reader.push(chunk([{ text: "He" }]));
    expect(start?.type).toBe("start");
    expect(delta).toMatchObject({ type: "text_delta", delta: "He", partial: { content: [{ text: "He" }] } });
  });
});

describe("calls", () => {
  test("arrive whole, with made ids where they have none", () => {
    const { message } = read([
      {
        ...chunk([{ functionCall: { name: "f", args: { a: 1 } }, thoughtSignature: "s" }]),
        responseId: "R-1",
      },
      chunk(
        [{ functionCall: { id: "own", name: "g" } }, { functionCall: { name: "h", args: {}, later: true } }],
        STOP,
      ),
    ]);
    expect(message.content).toEqual([
      {
        type: "toolCall",
        id: "R-1_1",
        name: "f",
        arguments: { a: 1 },
        thoughtSignature: "s",
        ext: { google: { noId: true } },
      },
      { type: "toolCall", id: "own", name: "g", arguments: {} },
      {
        type: "toolCall",
        id: "R-1_3",
        name: "h",
        arguments: {},
        ext: { google: { noId: true, inner: { later: true } } },
      },
    ]);
    expect(message.stopReason).toBe("toolUse");
    expect(message.ext).toEqual({
      synthesised: ["/content/0/id", "/content/2/id", "/usage"],
      google: { response: { responseId: "R-1" } },
    });
  });

  test("arrive value by value", () => {
    const { message, events } = read([
      chunk([{ functionCall: { id: "1", name: "f", willContinue: true }, thoughtSignature: "s" }]),
      chunk([
        {
          functionCall: {
            partialArgs: [{ jsonPath: "$.a", stringValue: "x", willContinue: true }],
            willContinue: true,
          },
        },
      ]),
      chunk([
        {
          functionCall: {
            partialArgs: [
              { jsonPath: "$.a", stringValue: "y" },
              { jsonPath: "$.b", numberValue: 2 },
            ],
            willContinue: true,
          },
        },
      ]),
      chunk([{ functionCall: {} }]),
      chunk(
        [{ functionCall: { id: "2", name: "g", partialArgs: [{ jsonPath: "$.c", boolValue: true }] } }],
        STOP,
      ),
    ]);
    expect(message.content).toEqual([
      { type: "toolCall", id: "1", name: "f", arguments: { a: "xy", b: 2 }, thoughtSignature: "s" },
      { type: "toolCall", id: "2", name: "g", arguments: { c: true } },
    ]);
    const deltas = events.flatMap((event) => (event.type === "toolcall_delta" ? [event.delta] : []));
    expect(deltas).toEqual(['{"a":"x', 'y"', ',"b":2', "}", '{"c":true', "}"]);
  });

  test("that are cut off say so", () => {
    const begun = [
      chunk([{ functionCall: { id: "1", name: "f", willContinue: true } }]),
      chunk([
        {
          functionCall: {
            partialArgs: [{ jsonPath: "$.a", stringValue: "x", willContinue: true }],
            willContinue: true,
          },
        },
      ]),
    ];
    const [cut] = contentOf(...begun, chunk([], { finishReason: "MAX_TOKENS" }));
    expect(cut).toMatchObject({
      arguments: {},
      argumentsError: expect.stringContaining("the arguments are not JSON"),
    });
    const { message } = read(begun);
    expect(message).toMatchObject({
      stopReason: "error",
      content: [{ arguments: { a: "x" }, argumentsError: "the arguments were cut off" }],
    });
  });
});

describe("other parts", () => {
  test("are kept", () => {
    const image = { inlineData: { mimeType: "image/png", data: "aWk=" }, thoughtSignature: "s" };
    const code = { executableCode: { language: "PYTHON", code: "1" } };
    const output = { codeExecutionResult: { outcome: "OUTCOME_OK" } };
    const strange = { hologram: { depth: 3 }, thought: true };
    const echo = { functionResponse: { name: "f", response: {} } };
    expect(contentOf(chunk([{ text: "a" }, image, code, output, strange, echo], STOP))).toEqual([
      { type: "text", text: "a" },
      {
        type: "image",
        data: "aWk=",
        mimeType: "image/png",
        ext: { google: { part: { thoughtSignature: "s" } } },
      },
      { type: "opaque", dialect: "google", value: code },
      { type: "opaque", dialect: "google", value: output },
      { type: "opaque", dialect: "google", value: strange },
      { type: "opaque", dialect: "google", value: echo },
    ]);
  });

  test("no name of a field reaches what every object inherits", () => {
    const odd = JSON.parse('{"__proto__":{"odd":1},"constructor":{"prototype":{"odd":1}}}');
    const { message } = read([chunk([{ text: "x" }], odd), { ...chunk([], { ...STOP, ...odd }), ...odd }]);
    expect(Reflect.get({}, "odd")).toBeUndefined();
    expect(message.ext?.["google"]).toEqual({ response: odd, candidate: odd });
  });

  test("so is what is said beside the answer", () => {
    const rating = { category: "HARM", probability: "LOW" };
    const { message } = read([
      {
        ...chunk([{ text: "a" }], {
          safetyRatings: [rating],
          citationMetadata: { citations: [{ uri: "1" }] },
        }),
        modelVersion: "gemini-x",
        createTime: "2026-01-01T00:00:00Z",
      },
      {
        candidates: [
          {
            content: { parts: [{ text: "b" }] },
            index: 0,
            ...STOP,
            safetyRatings: [rating],
            citationMetadata: { citations: [{ uri: "2" }, { uri: "3" }] },
          },
          { content: { parts: [{ text: "another" }] }, index: 1 },
        ],
        modelVersion: "gemini-x-001",
        usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
      },
    ]);
    expect(message.content).toEqual([{ type: "text", text: "ab" }]);
    expect(message.ext).toEqual({
      google: {
        response: { createTime: "2026-01-01T00:00:00Z", modelVersion: "gemini-x-001" },
        candidate: {
          safetyRatings: [rating],
          citationMetadata: { citations: [{ uri: "1" }, { uri: "2" }, { uri: "3" }] },
        },
        others: [{ content: { parts: [{ text: "another" }] }, index: 1 }],
      },
    });
  });
});

test.each([
  ["a text", "overloaded", "overloaded"],
  ["a list", [{ toString: {} }], '[{"toString":{}}]'],
])("an error that is %s says so", (_, error, errorMessage) => {
  expect(read([{ error }]).message).toMatchObject({ stopReason: "error", errorMessage });
});

describe("usage", () => {
  test("cached tokens are not input, thoughts are output", () => {
    const { message } = read([
      { usageMetadata: { trafficType: "ON_DEMAND" } },
      {
        ...chunk([{ text: "a" }], STOP),
        usageMetadata: {
          promptTokenCount: 1000,
          cachedContentTokenCount: 600,
          candidatesTokenCount: 20,
          thoughtsTokenCount: 30,
          toolUsePromptTokenCount: 5,
          totalTokenCount: 1055,
        },
      },
    ]);
    expect(message.usage).toEqual({
      input: 405,
      output: 50,
      cacheRead: 600,
      cacheWrite: 0,
      totalTokens: 1055,
      cost: { input: 0.000405, output: 0.0001, cacheRead: 0.0003, cacheWrite: 0, total: 0.000805 },
    });
    expect(message.ext).toEqual({
      google: { usage: { trafficType: "ON_DEMAND", thoughtsTokenCount: 30, toolUsePromptTokenCount: 5 } },
    });
  });

  test("without any it is made up, and says so", () => {
    expect(read([chunk([{ text: "a" }], STOP)]).message.ext).toEqual({ synthesised: ["/usage"] });
  });
});
