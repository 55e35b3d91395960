import { describe, expect, test } from "vitest";
import type { Origin } from "../../core/api/provider.js";
import { priced } from "../../core/message/usage.js";
import { bedrockApi } from "./index.js";

const origin: Origin = {
  provider: "bedrock",
  model: "m",
  timestamp: 7,
  price: (tokens) => priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: true,
};
const start = { messageStart: { role: "assistant" } };
const delta = (contentBlockIndex: number, value: object) => ({
  contentBlockDelta: { contentBlockIndex, delta: value },
});
const stop = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } });
const end = (stopReason = "end_turn") => ({ messageStop: { stopReason } });
const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 };
const metadata = { metadata: { usage, metrics: { latencyMs: 10 } } };

function read(...payloads: object[]) {
  const reader = bedrockApi.streamReader(origin);
  const events = payloads.flatMap((payload) => reader.push(payload));
  if (!reader.ended) events.push(...reader.finish());
  const last = events.at(-1);
  const message = last?.type === "done" ? last.message : last?.type === "error" ? last.error : undefined;
  return { types: events.map(({ type }) => type), message };
}

describe("the end of an answer", () => {
  test("is its usage, which comes after messageStop", () => {
    const { types, message } = read(start, delta(0, { text: "Hi" }), stop(0), end(), metadata);
    expect(types).toEqual(["start", "text_start", "text_delta", "text_end", "done"]);
    expect(message).toMatchObject({ stopReason: "stop", usage: { input: 3, output: 2, totalTokens: 5 } });
  });

  test("is that of the stream if there is no usage", () => {
    const metrics = { metadata: { metrics: { latencyMs: 10 } } };
    expect(read(start, delta(0, { text: "Hi" }), end(), metrics).message).toMatchObject({
      stopReason: "stop",
      usage: { totalTokens: 0 },
    });
  });

  test("is an error without messageStop", () => {
    expect(read(start, delta(0, { text: "Hi" })).message).toMatchObject({
      stopReason: "error",
      errorMessage: "the stream ended before messageStop",
      content: [{ type: "text", text: "Hi" }],
    });
  });

  test.each([
    ["max_tokens", "length", undefined],
    ["model_context_window_exceeded", "length", undefined],
    ["stop_sequence", "stop", undefined],
    ["something_new", "stop", undefined],
    ["guardrail_intervened", "error", "a guardrail blocked the answer"],
    ["content_filtered", "error", "a content filter blocked the answer"],
    ["malformed_tool_use", "error", "the model called a tool in a form that cannot be read"],
    ["malformed_model_output", "error", "the model gave an answer that cannot be read"],
  ])("%s is %s", (raw, stopReason, errorMessage) => {
    const { message } = read(start, delta(0, { text: "Hi" }), stop(0), end(raw), metadata);
    expect(message).toMatchObject({ stopReason, content: [{ type: "text", text: "Hi" }] });
    expect(message?.errorMessage).toBe(errorMessage);
  });

  test.each([
    [{ throttlingException: { message: "slow down" } }, "slow down"],
    [{ modelStreamErrorException: { originalStatusCode: 500, originalMessage: "it broke" } }, "it broke"],
    [{ error: { code: "InternalFailure", message: "oops" } }, "oops"],
    [{ validationException: {} }, "the provider reported validationException"],
  ])("%j is an error", (payload, errorMessage) => {
    expect(read(start, delta(0, { text: "Hi" }), payload).message).toMatchObject({
      stopReason: "error",
      errorMessage,
      content: [{ text: "Hi" }],
    });
  });
});

describe("blocks", () => {
  test("thinking may have a signature and no text", () => {
    const { message } = read(
      start,
      delta(0, { reasoningContent: { signature: "c2ln" } }),
      stop(0),
      end(),
      metadata,
    );
    expect(message?.content).toEqual([{ type: "thinking", thinking: "", thinkingSignature: "c2ln" }]);
  });

  test("redacted thinking comes in pieces of any length", () => {
    const piece = (text: string) => delta(0, { reasoningContent: { redactedContent: btoa(text) } });
    const { message } = read(start, piece("s"), piece("ecret"), stop(0), end(), metadata);
    expect(message?.content).toEqual([
      { type: "thinking", thinking: "", redacted: true, thinkingSignature: btoa("secret") },
    ]);
  });

  test("a call without arguments has none", () => {
    const call = {
      contentBlockStart: { contentBlockIndex: 0, start: { toolUse: { toolUseId: "t", name: "now" } } },
    };
    const { message } = read(start, call, stop(0), end("tool_use"), metadata);
    expect(message).toMatchObject({
      stopReason: "toolUse",
      content: [{ type: "toolCall", id: "t", name: "now", arguments: {} }],
    });
  });

  test("a call with an unknown field is a call, and is written with the field", () => {
    const toolUse = { toolUseId: "t", name: "now", hint: "x" };
    const call = { contentBlockStart: { contentBlockIndex: 0, start: { toolUse } } };
    const payloads = [start, call, stop(0), end("tool_use"), metadata];
    expect(read(...payloads).message?.content).toEqual([
      {
        type: "toolCall",
        id: "t",
        name: "now",
        arguments: {},
        ext: { bedrock: { inside: { toolUse: { fields: { hint: "x" } } } } },
      },
    ]);
    const [reader, writer] = [bedrockApi.streamReader(origin), bedrockApi.streamWriter()];
    const written = payloads
      .flatMap((payload) => reader.push(payload))
      .flatMap((event) => writer.push(event));
    expect(written.map(({ data }) => data)).toContainEqual(call);
  });

  test("a tool that the service runs, and its result, are kept whole", () => {
    const { message } = read(
      start,
      {
        contentBlockStart: {
          contentBlockIndex: 0,
          start: { toolUse: { toolUseId: "s1", name: "nova_grounding", type: "server_tool_use" } },
        },
      },
      delta(0, { toolUse: { input: '{"query":' } }),
      delta(0, { toolUse: { input: '"x"}' } }),
      stop(0),
      {
        contentBlockStart: {
          contentBlockIndex: 1,
          start: { toolResult: { toolUseId: "s1", status: "success" } },
        },
      },
      delta(1, { toolResult: [{ text: "found" }] }),
      stop(1),
      end(),
      metadata,
    );
    expect(message?.content).toEqual([
      {
        type: "opaque",
        dialect: "bedrock",
        value: {
          toolUse: {
            toolUseId: "s1",
            name: "nova_grounding",
            type: "server_tool_use",
            input: { query: "x" },
          },
        },
      },
      {
        type: "opaque",
        dialect: "bedrock",
        value: { toolResult: { toolUseId: "s1", status: "success", content: [{ text: "found" }] } },
      },
    ]);
  });

  test("padding is not kept", () => {
    const { message } = read(
      { messageStart: { role: "assistant", p: "abc" } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Hi" }, p: "abcdef" } },
      { messageStop: { stopReason: "end_turn", p: "a" } },
      { metadata: { usage, p: "abcd" } },
    );
    expect(JSON.stringify(message)).not.toContain("abc");
    expect(message).not.toHaveProperty("ext");
  });
});
