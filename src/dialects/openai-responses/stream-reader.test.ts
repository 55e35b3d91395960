import { describe, expect, test } from "vitest";
import { priced } from "../../core/message/usage.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";
import { readResponse } from "./response.js";
import { streamReader } from "./stream-reader.js";

const origin = {
  provider: "openai",
  model: "gpt-5.5",
  timestamp: 1,
  priceKnown: true,
  price: (tokens: Parameters<typeof priced>[0]) =>
    priced(tokens, { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }),
};

const item = (output_index: number, of: object) => [
  { type: "response.output_item.added", output_index, item: of },
  { type: "response.output_item.done", output_index, item: of },
];
const message = (text: string, more: object = {}) => ({
  type: "message",
  role: "assistant",
  id: "msg_1",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
  ...more,
});
const completed = (more: object = {}) => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", model: "gpt-5.5", output: [], ...more },
});

function read(payloads: readonly unknown[]): {
  events: LiveAssistantMessageEvent[];
  message: AssistantMessage;
} {
  const reader = streamReader(origin);
  const events = payloads.flatMap((payload) => reader.push(payload));
  if (!reader.ended) events.push(...reader.finish());
  const last = events.at(-1);
  if (last?.type === "done") return { events, message: last.message };
  if (last?.type === "error") return { events, message: last.error };
  throw new Error("no terminal event");
}

describe("text", () => {
  test("a whole text wins over its deltas, and what they lacked is a delta more", () => {
    const { events, message: answer } = read([
      { type: "response.output_item.added", output_index: 0, item: message("", { content: [] }) },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hel" },
      { type: "response.output_item.done", output_index: 0, item: message("Hello") },
      completed(),
    ]);
    expect(events.map((event) => [event.type, "delta" in event ? event.delta : ""])).toEqual([
      ["start", ""],
      ["text_start", ""],
      ["text_delta", "Hel"],
      ["text_delta", "lo"],
      ["text_end", ""],
      ["done", ""],
    ]);
    expect(answer.content).toEqual([{ type: "text", text: "Hello", textSignature: '{"v":1,"id":"msg_1"}' }]);
  });

  test("a text that its deltas are no beginning of replaces them", () => {
    const { message: answer } = read([
      { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hallo" },
      { type: "response.output_text.done", output_index: 0, content_index: 0, text: "Hello" },
      completed(),
    ]);
    expect(answer.content).toEqual([{ type: "text", text: "Hello" }]);
  });

  test("a refusal is text, and is known for one", () => {
    const { message: answer } = read([
      { type: "response.output_item.added", output_index: 0, item: message("", { content: [] }) },
      { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "No." },
      ...item(0, message("", { content: [{ type: "refusal", refusal: "No." }] })).slice(1),
      completed(),
    ]);
    expect(answer.content).toEqual([
      {
        type: "text",
        text: "No.",
        textSignature: '{"v":1,"id":"msg_1"}',
        ext: { "openai-responses": { refusal: true } },
      },
    ]);
  });

  test("an id that changes while the item arrives is the last one, and the item stays one", () => {
    const { message: answer } = read([
      { type: "response.output_item.added", output_index: 0, item: message("", { id: "a", content: [] }) },
      { type: "response.output_text.delta", item_id: "b", output_index: 0, content_index: 0, delta: "Hi" },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: message("Hi", { id: "c", phase: "final_answer" }),
      },
      completed(),
    ]);
    expect(answer.content).toEqual([
      { type: "text", text: "Hi", textSignature: '{"v":1,"id":"c","phase":"final_answer"}' },
    ]);
  });
});

describe("thinking", () => {
  const summary = (summary_index: number, delta: string) => ({
    type: "response.reasoning_summary_text.delta",
    output_index: 0,
    summary_index,
    delta,
  });
  const reasoning = {
    type: "reasoning",
    id: "rs_1",
    summary: [
      { type: "summary_text", text: "One." },
      { type: "summary_text", text: "Two." },
    ],
    encrypted_content: "gAAA",
  };

  test("the parts of a summary are paragraphs, and the item is kept whole", () => {
    const { message: answer } = read([
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "reasoning", id: "rs_1", summary: [] },
      },
      summary(0, "One."),
      summary(1, "Tw"),
      summary(1, "o."),
      { type: "response.output_item.done", output_index: 0, item: reasoning },
      completed(),
    ]);
    expect(answer.content).toEqual([
      { type: "thinking", thinking: "One.\n\nTwo.", thinkingSignature: JSON.stringify(reasoning) },
    ]);
    expect(answer.ext).toEqual({ "openai-responses": { id: "resp_1" }, synthesised: ["/usage"] });
  });

  test("without its content it cannot be sent back, and nor can the ids that depend on it", () => {
    const { encrypted_content, ...bare } = reasoning;
    const { message: answer } = read([...item(0, bare), ...item(1, message("Hi")), completed()]);
    expect(answer.content[0]).toEqual({
      type: "thinking",
      thinking: "One.\n\nTwo.",
      ext: { "openai-responses": { id: "rs_1" } },
    });
    expect(answer.ext?.["openai-responses"]).toEqual({ unpaired: true, id: "resp_1" });
  });
});

describe("calls", () => {
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", status: "completed" };
  const delta = (text: string) => ({
    type: "response.function_call_arguments.delta",
    output_index: 0,
    delta: text,
  });

  test("whole arguments win over deltas", () => {
    const { message: answer } = read([
      { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
      delta('{"path":"b'),
      { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"path":"a.ts"}' },
      completed(),
    ]);
    expect(answer.content).toMatchObject([{ id: "call_1", name: "read", arguments: { path: "a.ts" } }]);
    expect(answer.stopReason).toBe("toolUse");
  });

  test("arguments that are no JSON say why, and are kept as they were written", () => {
    const { message: answer } = read([...item(0, { ...call, arguments: '{"path":' }), completed()]);
    expect(answer.content).toEqual([
      {
        type: "toolCall",
        id: "call_1",
        name: "read",
        arguments: {},
        argumentsError:
          "the arguments are not JSON: expected a value, found the end of the text (line 1, column 9)",
        ext: { "openai-responses": { id: "fc_1", item: { fields: { arguments: '{"path":' } } } },
      },
    ]);
  });

  test("cut off, they have what had arrived", () => {
    const { message: answer } = read([
      { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
      delta('{"path":"a.ts","li'),
    ]);
    expect(answer).toMatchObject({
      stopReason: "error",
      errorMessage: "the stream ended before the response was complete",
      content: [{ arguments: { path: "a.ts" }, argumentsError: "the arguments were cut off" }],
    });
  });
});

describe("items that we do not know", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed" };

  test("stand where they belong, though they are complete later", () => {
    const { message: answer } = read([
      { type: "response.output_item.added", output_index: 0, item: { ...search, status: "in_progress" } },
      ...item(1, { ...search, id: "ws_2" }),
      ...item(2, message("Found it.")),
      { type: "response.output_item.done", output_index: 0, item: search },
      completed(),
    ]);
    expect(answer.content).toMatchObject([
      { type: "opaque", dialect: "openai-responses", value: search },
      { type: "opaque", value: { id: "ws_2" } },
      { type: "text", text: "Found it." },
    ]);
  });

  test("cut off, they have what had arrived, in the shape it would have had", () => {
    const patch = {
      type: "apply_patch_call",
      id: "apc_1",
      operation: { type: "create_file", path: "a", diff: "" },
    };
    const shell = { type: "shell_call", id: "sh_1", action: { commands: [] } };
    const { message: answer } = read([
      { type: "response.output_item.added", output_index: 0, item: patch },
      { type: "response.apply_patch_call_operation_diff.delta", output_index: 0, delta: "+a" },
      { type: "response.apply_patch_call_operation_diff.delta", output_index: 0, delta: "\n" },
      { type: "response.output_item.added", output_index: 1, item: shell },
      { type: "response.shell_call_command.delta", output_index: 1, command_index: 0, delta: "ls" },
      { type: "response.shell_call_command.delta", output_index: 1, command_index: 0, delta: " -l" },
    ]);
    expect(answer.content).toMatchObject([
      { value: { operation: { path: "a", diff: "+a\n" } } },
      { value: { action: { commands: ["ls -l"] } } },
    ]);
  });
});

describe("the end", () => {
  test.each<[string, object, object]>([
    ["complete", { status: "completed" }, { stopReason: "stop" }],
    ["without a status", { status: undefined }, { stopReason: "stop" }],
    [
      "of a kind nobody knows",
      { status: "transcended" },
      { stopReason: "stop", ext: { "openai-responses": { status: "transcended" } } },
    ],
    [
      "too long",
      { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      { stopReason: "length" },
    ],
    [
      "filtered",
      { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      { stopReason: "error", errorMessage: "the answer is incomplete: content_filter" },
    ],
    [
      "failed",
      { status: "failed", error: { code: "server_error", message: "Sorry." } },
      {
        stopReason: "error",
        errorMessage: "Sorry.",
        ext: { "openai-responses": { error: { code: "server_error" } } },
      },
    ],
    [
      "cancelled",
      { status: "cancelled" },
      { stopReason: "error", errorMessage: "the response is cancelled" },
    ],
  ])("%s", (_, response, expected) => {
    expect(read([...item(0, message("Hi")), completed(response)]).message).toMatchObject({
      content: [{ type: "text", text: "Hi" }],
      ...expected,
    });
  });

  test.each<[string, unknown]>([
    ["flat", { type: "error", code: "rate_limit_exceeded", message: "Slow down.", param: null }],
    ["nested", { type: "error", error: { code: "rate_limit_exceeded", message: "Slow down." } }],
    ["without a type", { error: { code: "rate_limit_exceeded", message: "Slow down." } }],
  ])("an error in mid-stream, %s, ends with what had arrived", (_, error) => {
    const { message: answer } = read([...item(0, message("Hi")), error]);
    expect(answer).toMatchObject({
      content: [{ type: "text", text: "Hi" }],
      stopReason: "error",
      errorMessage: "Slow down.",
      ext: { "openai-responses": { error: { code: "rate_limit_exceeded" } } },
    });
  });

  test("cached tokens are not counted twice, and what else is billed is kept", () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 120,
      num_sources_used: 2,
    };
    const { message: answer } = read([completed({ usage, model: "gpt-5.5-2026-04-23" })]);
    expect(answer.usage).toMatchObject({
      input: 30,
      output: 20,
      cacheRead: 60,
      cacheWrite: 10,
      totalTokens: 120,
    });
    expect(answer.ext).toEqual({
      "openai-responses": {
        id: "resp_1",
        model: "gpt-5.5-2026-04-23",
        usage: { num_sources_used: 2, output_tokens_details: { reasoning_tokens: 5 } },
      },
    });
  });

  test("of a failure that has no status is a failure", () => {
    const { message: answer } = read([
      { type: "response.failed", response: { error: { message: "Sorry." } } },
    ]);
    expect(answer).toMatchObject({ stopReason: "error", errorMessage: "Sorry." });
  });

  test("an item that is announced twice is one", () => {
    const [added, done] = item(0, message("Hi"));
    expect(read([added, added, done, done, completed()]).message.content).toHaveLength(1);
  });

  test("items that were not streamed are taken from the response", () => {
    expect(read([completed({ output: [message("Hi")] })]).message.content).toMatchObject([{ text: "Hi" }]);
  });

  test("payloads after the end, and marks, bring nothing", () => {
    const reader = streamReader(origin);
    reader.push(completed());
    expect(reader.push("[DONE]")).toEqual([]);
    expect(reader.push({ type: "ping" })).toEqual([]);
    expect(reader.finish()).toEqual([]);
  });

  test("what is no payload is a typed error", () => {
    expect(() => streamReader(origin).push(7)).toThrow(
      expect.objectContaining({ code: "provider/bad-response" }),
    );
  });
});

describe("a response that came at once", () => {
  test("says who answered and when, if nobody else does", () => {
    const unknown = { ...origin, model: "", timestamp: 0 };
    const body = {
      id: "resp_1",
      model: "gpt-5.5",
      created_at: 1_760_000_000,
      status: "completed",
      output: [],
    };
    expect(readResponse(body, unknown)).toMatchObject({ model: "gpt-5.5", timestamp: 1_760_000_000_000 });
  });

  test("an error is an answer that failed", () => {
    expect(readResponse({ error: { message: "No.", code: "invalid_prompt" } }, origin)).toMatchObject({
      stopReason: "error",
      errorMessage: "No.",
    });
  });

  test("without output is refused", () => {
    expect(() => readResponse({ id: "resp_1" }, origin)).toThrow(
      expect.objectContaining({ code: "model/invalid", at: "/output" }),
    );
  });
});
