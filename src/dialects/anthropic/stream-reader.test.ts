import { describe, expect, test } from "vitest";
import type { Origin } from "../../core/api/provider.js";
import { DragomanError } from "../../core/error.js";
import { priced } from "../../core/message/usage.js";
import type { LiveAssistantMessageEvent } from "../../core/types.js";
import { anthropicApi } from "./index.js";

const origin: Origin = {
  provider: "anthropic",
  model: "claude-opus-4-6",
  timestamp: 1_700_000_000_000,
  price: (tokens) => priced(tokens, { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }),
  priceKnown: true,
};

const start = (more: object = {}) => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-opus-4-6-20260205",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 40,
      cache_read_input_tokens: 20,
      output_tokens: 1,
    },
    ...more,
  },
});
const open = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, more: object) => ({ type: "content_block_delta", index, delta: more });
const stop = (index: number) => ({ type: "content_block_stop", index });
const text = (index: number, more: string) => delta(index, { type: "text_delta", text: more });
const json = (index: number, more: string) => delta(index, { type: "input_json_delta", partial_json: more });
const end = (stop_reason: string, more: object = {}) => [
  {
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null, ...more },
    usage: { input_tokens: null, output_tokens: 9 },
  },
  { type: "message_stop" },
];

/** Without the live message, which every event but the last has. */
function bare({ partial: _, ...event }: LiveAssistantMessageEvent & { partial?: unknown }): object {
  return event;
}

function read(...payloads: unknown[]) {
  const reader = anthropicApi.streamReader(origin);
  const events = [...payloads.flatMap((payload) => reader.push(payload)), ...reader.finish()];
  const last = events.at(-1);
  const message = last?.type === "done" ? last.message : last?.type === "error" ? last.error : undefined;
  return { events, message };
}

test("the events of an answer, and what they cost", () => {
  const { events, message } = read(
    start(),
    { type: "ping" },
    open(0, { type: "text", text: "" }),
    text(0, "Hel"),
    text(0, "lo"),
    stop(0),
    open(1, { type: "tool_use", id: "t", name: "f", input: {} }),
    json(1, ""),
    json(1, '{"a":'),
    json(1, "1}"),
    stop(1),
    ...end("tool_use"),
  );
  expect(events.slice(0, -1).map(bare)).toEqual([
    { type: "start" },
    { type: "text_start", contentIndex: 0 },
    { type: "text_delta", contentIndex: 0, delta: "Hel" },
    { type: "text_delta", contentIndex: 0, delta: "lo" },
    { type: "text_end", contentIndex: 0, content: "Hello" },
    { type: "toolcall_start", contentIndex: 1, id: "t", name: "f" },
    { type: "toolcall_delta", contentIndex: 1, delta: '{"a":' },
    { type: "toolcall_delta", contentIndex: 1, delta: "1}" },
    {
      type: "toolcall_end",
      contentIndex: 1,
      toolCall: { type: "toolCall", id: "t", name: "f", arguments: { a: 1 } },
    },
  ]);
  expect(message).toEqual({
    role: "assistant",
    content: [
      { type: "text", text: "Hello" },
      { type: "toolCall", id: "t", name: "f", arguments: { a: 1 } },
    ],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-opus-4-6",
    usage: {
      input: 100,
      output: 9,
      cacheRead: 20,
      cacheWrite: 40,
      totalTokens: 169,
      cost: { input: 0.0005, output: 0.000225, cacheRead: 0.00001, cacheWrite: 0.00025, total: 0.000985 },
    },
    stopReason: "toolUse",
    timestamp: 1_700_000_000_000,
    ext: { anthropic: { response: { fields: { id: "msg_1", model: "claude-opus-4-6-20260205" } } } },
  });
});

test("the start is there with the first payload", () => {
  const reader = anthropicApi.streamReader(origin);
  expect(reader.push({ type: "ping" }).map(({ type }) => type)).toEqual(["start"]);
});

test("a start that comes twice counts once; its later numbers count", () => {
  const first = start({ content: [{ type: "text", text: "Hi" }] });
  const second = start({
    id: "msg_2",
    content: [{ type: "text", text: "Hi" }],
    usage: { input_tokens: 101, cache_read_input_tokens: null },
  });
  const { message } = read(first, second, ...end("end_turn"));
  expect(message?.content).toEqual([{ type: "text", text: "Hi" }]);
  expect(message?.usage).toMatchObject({ input: 101, cacheRead: 20, cacheWrite: 40, output: 9 });
  expect(message?.ext).toMatchObject({ anthropic: { response: { fields: { id: "msg_1" } } } });
});

describe("how an answer ends", () => {
  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "toolUse"],
    ["something_else", "stop"],
  ])("%s is %s", (raw, expected) => {
    const { events, message } = read(start(), ...end(raw));
    expect(events.at(-1)).toMatchObject({ type: "done", reason: expected });
    expect(message && anthropicApi.response(message)).toMatchObject({ stop_reason: raw });
  });

  test("a refusal is an error that says why", () => {
    const { events, message } = read(
      start(),
      ...end("refusal", { stop_details: { explanation: "Blocked." } }),
    );
    expect(events.at(-1)).toMatchObject({
      type: "error",
      reason: "error",
      error: { errorMessage: "Blocked." },
    });
    expect(message?.ext?.synthesised).toBeUndefined();
    expect(message && anthropicApi.response(message)).toMatchObject({
      stop_reason: "refusal",
      stop_details: { explanation: "Blocked." },
    });
  });

  test("an error in mid-stream keeps what had arrived", () => {
    const { events } = read(
      start(),
      open(0, { type: "text", text: "" }),
      text(0, "half"),
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      text(0, "too late"),
    );
    expect(events.filter(({ type }) => type === "error" || type === "done")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      type: "error",
      error: {
        content: [{ type: "text", text: "half" }],
        errorMessage: "Overloaded",
        usage: { input: 100 },
        ext: {
          synthesised: ["/usage/output", "/usage/totalTokens", "/usage/cost/output", "/usage/cost/total"],
          anthropic: { failure: { fields: { error: { type: "overloaded_error" } } } },
        },
      },
    });
  });

  test("a stream without its end is an error", () => {
    const { events } = read(
      start(),
      open(0, { type: "tool_use", id: "t", name: "f", input: {} }),
      json(0, '{"a":"b'),
    );
    expect(events.at(-1)).toMatchObject({
      type: "error",
      error: {
        content: [{ type: "toolCall", arguments: { a: "b" }, argumentsError: "the arguments were cut off" }],
        errorMessage: "the stream ended before message_stop",
      },
    });
  });

  test("an abort says so", () => {
    const reader = anthropicApi.streamReader(origin);
    reader.push(start());
    expect(reader.fail("stop", "aborted")).toMatchObject([{ type: "error", reason: "aborted" }]);
    expect(reader.ended).toBe(true);
    expect(reader.finish()).toEqual([]);
  });
});

test("blocks that we do not know grow into what they end up as", () => {
  const { message } = read(
    start(),
    open(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
    json(0, '{"q":'),
    json(0, '"x"}'),
    stop(0),
    open(1, { type: "poem", text: "Roses ", lines: 1 }),
    delta(1, { type: "poem_delta", text: "are red", lines: 2 }),
    delta(1, JSON.parse('{"type":"poem_delta","__proto__":{"odd":1}}')),
    stop(1),
    ...end("end_turn"),
  );
  expect(message?.content).toEqual([
    {
      type: "opaque",
      dialect: "anthropic",
      value: { type: "server_tool_use", id: "s", name: "web_search", input: { q: "x" } },
    },
    {
      type: "opaque",
      dialect: "anthropic",
      value: JSON.parse('{"type":"poem","text":"Roses are red","lines":2,"__proto__":{"odd":1}}'),
    },
  ]);
});

test("a piece of an input that is no text is taken for what it is", () => {
  const { message } = read(
    start(),
    open(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: { toString: {} } }),
    stop(0),
    ...end("end_turn"),
  );
  expect(message?.content).toEqual([
    {
      type: "opaque",
      dialect: "anthropic",
      value: { type: "server_tool_use", id: "s", name: "web_search", input: { toString: {} } },
    },
  ]);
});

test("blocks that nobody closed are complete when the answer is", () => {
  const { message } = read(
    start(),
    open(0, { type: "tool_use", id: "t", name: "f", input: { a: 1 } }),
    open(1, { type: "redacted_thinking", data: "D" }),
    ...end("end_turn"),
  );
  expect(message?.content).toEqual([
    { type: "toolCall", id: "t", name: "f", arguments: { a: 1 } },
    { type: "thinking", thinking: "", redacted: true, thinkingSignature: "D" },
  ]);
});

test("arguments with raw control characters are mended, others are reported", () => {
  const call = { type: "tool_use", id: "t", name: "f", input: {} };
  const mended = read(start(), open(0, call), json(0, '{"a":"x\ny"}'), stop(0), ...end("tool_use"));
  expect(mended.message?.content).toMatchObject([{ arguments: { a: "x\ny" } }]);
  const broken = read(start(), open(0, call), json(0, '{"a":'), stop(0), ...end("tool_use"));
  expect(broken.message?.content).toMatchObject([{ arguments: {}, argumentsError: expect.any(String) }]);
});

test("a payload does not change when the answer goes on", () => {
  const payload = open(0, { type: "text", text: "", citations: [] });
  read(
    start(),
    payload,
    delta(0, { type: "citations_delta", citation: { a: 1 } }),
    stop(0),
    ...end("end_turn"),
  );
  expect(payload.content_block).toEqual({ type: "text", text: "", citations: [] });
});

test.each([
  ["no object", "text"],
  ["no type", {}],
  ["a start without a message", { type: "message_start" }],
  ["a block without a type", open(0, {})],
  ["a delta of no block", text(3, "x")],
  ["a delta that is none", { type: "content_block_delta", index: 0, delta: null }],
])("%s is a typed error", (_, payload) => {
  const reader = anthropicApi.streamReader(origin);
  expect(() => reader.push(payload)).toThrow(DragomanError);
  expect(reader.fail("bad", "error")).toMatchObject([{ type: "start" }, { type: "error" }]);
});

test("a block takes as long as its text, not the square of it", () => {
  const reader = anthropicApi.streamReader(origin);
  reader.push(start());
  reader.push(open(0, { type: "tool_use", id: "t", name: "f", input: {} }));
  reader.push(json(0, '{"a":"'));
  for (let count = 0; count < 200_000; count++) reader.push(json(0, "xxxxxxxxxx"));
  reader.push(json(0, '"}'));
  reader.push(stop(0));
  const [last] = end("tool_use")
    .flatMap((payload) => reader.push(payload))
    .slice(-1);
  expect(last).toMatchObject({
    type: "done",
    message: { content: [{ arguments: { a: expect.stringMatching(/^x{2000000}$/) } }] },
  });
});
