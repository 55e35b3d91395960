import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json/value.js";
import { type ApiName, loadApi } from "../../../src/dialects/registry.js";

async function assembled(api: ApiName, payloads: readonly unknown[]): Promise<JsonObject> {
  const assembler = (await loadApi(api)).assembler();
  for (const payload of payloads) assembler.push(payload);
  return assembler.response();
}

test("anthropic: blocks grow, arguments are parsed, later usage wins where it is known", async () => {
  const delta = (index: number, fields: JsonObject) => ({
    type: "content_block_delta",
    index,
    delta: fields,
  });
  const stop = (index: number) => ({ type: "content_block_stop", index });
  const start = (index: number, content_block: JsonObject) => ({
    type: "content_block_start",
    index,
    content_block,
  });
  expect(
    await assembled("anthropic", [
      {
        type: "message_start",
        message: {
          id: "m",
          model: "x",
          content: [],
          stop_reason: null,
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      },
      { type: "ping" },
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "H" }),
      delta(0, { type: "thinking_delta", thinking: "m" }),
      delta(0, { type: "signature_delta", signature: "s" }),
      stop(0),
      start(1, { type: "text", text: "" }),
      delta(1, { type: "text_delta", text: "A" }),
      delta(1, { type: "citations_delta", citation: { title: "T" } }),
      stop(1),
      start(2, { type: "tool_use", id: "t", name: "n", input: {} }),
      delta(2, { type: "input_json_delta", partial_json: '{"a"' }),
      delta(2, { type: "input_json_delta", partial_json: ":1}" }),
      stop(2),
      start(3, { type: "tool_use", id: "u", name: "n", input: {} }),
      delta(3, { type: "input_json_delta", partial_json: '{"a' }),
      stop(3),
      start(4, { type: "tool_use", id: "v", name: "n", input: {} }),
      stop(4),
      {
        type: "message_delta",
        delta: { stop_reason: "tool_use" },
        usage: { input_tokens: null, output_tokens: 5 },
        context_management: { applied_edits: [] },
      },
      { type: "message_stop" },
    ]),
  ).toEqual({
    id: "m",
    model: "x",
    content: [
      { type: "thinking", thinking: "Hm", signature: "s" },
      { type: "text", text: "A", citations: [{ title: "T" }] },
      { type: "tool_use", id: "t", name: "n", input: { a: 1 } },
      { type: "tool_use", id: "u", name: "n", input: { INVALID_JSON: '{"a' } },
      { type: "tool_use", id: "v", name: "n", input: {} },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 9, output_tokens: 5 },
    context_management: { applied_edits: [] },
  });
});

test("openai-chat: pieces of calls and of reasoning are joined by their number, in each choice", async () => {
  const chunk = (index: number, delta: JsonObject, more: JsonObject = {}) => ({
    id: "c",
    object: "chat.completion.chunk",
    model: "x",
    obfuscation: "zz",
    choices: [{ index, delta, finish_reason: null, ...more }],
    usage: null,
  });
  const call = (index: number, fields: JsonObject) => ({ tool_calls: [{ index, ...fields }] });
  const detail = (text: string, fields: JsonObject = {}) => ({
    reasoning_details: [{ type: "reasoning.text", text, index: 0, format: "f", ...fields }],
  });
  expect(
    await assembled("openai-chat", [
      chunk(0, { role: "assistant", content: "" }),
      chunk(1, { role: "assistant", content: "B" }, { logprobs: { content: [{ token: "B" }] } }),
      chunk(0, { reasoning: "H", ...detail("H") }),
      chunk(0, { reasoning: "m", ...detail("m", { signature: "s" }) }),
      chunk(0, call(0, { id: "t", type: "function", function: { name: "n", arguments: "" } })),
      chunk(0, call(1, { id: "u", type: "function", function: { name: "o", arguments: "{" } })),
      chunk(0, call(0, { function: { arguments: '{"a":' } })),
      chunk(0, call(0, { function: { arguments: "1}" } })),
      chunk(0, call(1, { function: { arguments: "}" } })),
      chunk(1, { content: "C" }, { logprobs: { content: [{ token: "C" }] }, finish_reason: "stop" }),
      chunk(0, {}, { finish_reason: "tool_calls" }),
      { id: "c", model: "x", choices: [], usage: { total_tokens: 3 } },
      "[DONE]",
    ]),
  ).toEqual({
    id: "c",
    object: "chat.completion",
    model: "x",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "",
          reasoning: "Hm",
          reasoning_details: [{ type: "reasoning.text", text: "Hm", index: 0, format: "f", signature: "s" }],
          tool_calls: [
            { id: "t", type: "function", function: { name: "n", arguments: '{"a":1}' } },
            { id: "u", type: "function", function: { name: "o", arguments: "{}" } },
          ],
        },
        logprobs: null,
        finish_reason: "tool_calls",
      },
      {
        index: 1,
        message: { role: "assistant", content: "BC" },
        logprobs: { content: [{ token: "B" }, { token: "C" }] },
        finish_reason: "stop",
      },
    ],
    usage: { total_tokens: 3 },
  });
});

test("openai-responses: the last response, with the items of the stream if it has none", async () => {
  const item = { type: "message", id: "m" };
  const events = (output: JsonObject[]) => [
    { type: "response.created", response: { id: "r", status: "in_progress", output: [] } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "r", status: "completed", output } },
  ];
  const whole = { id: "r", status: "completed", output: [item] };
  expect(await assembled("openai-responses", events([item]))).toEqual(whole);
  expect(await assembled("openai-responses", events([]))).toEqual(whole);
});

test("google: text goes on, a part with a signature stays a part", async () => {
  const chunk = (parts: JsonObject[], more: JsonObject = {}) => ({
    candidates: [{ content: { role: "model", parts }, ...more }],
    usageMetadata: { totalTokenCount: parts.length },
    modelVersion: "x",
  });
  expect(
    await assembled("google", [
      chunk([{ text: "H", thought: true }]),
      chunk([{ text: "m", thought: true }]),
      chunk([{ text: "A" }, { text: "B" }]),
      chunk([{ text: "C", thoughtSignature: "s" }]),
      chunk([{ text: "D" }, { functionCall: { name: "n", args: {} } }], { finishReason: "STOP" }),
    ]),
  ).toEqual({
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { text: "Hm", thought: true },
            { text: "AB" },
            { text: "C", thoughtSignature: "s" },
            { text: "D" },
            { functionCall: { name: "n", args: {} } },
          ],
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { totalTokenCount: 2 },
    modelVersion: "x",
  });
});

test("ollama: texts and calls grow, the last line has the rest", async () => {
  const line = (message: JsonObject, more: JsonObject = {}) => ({
    model: "x",
    created_at: "t",
    message: { role: "assistant", content: "", ...message },
    done: false,
    ...more,
  });
  expect(
    await assembled("ollama", [
      line({ thinking: "H" }),
      line({ thinking: "m" }),
      line({ tool_calls: [{ function: { name: "a" } }] }),
      line({ tool_calls: [{ function: { name: "b" } }] }),
      line({ content: "A" }),
      line({}, { done: true, done_reason: "stop", eval_count: 3 }),
    ]),
  ).toEqual({
    model: "x",
    created_at: "t",
    message: {
      role: "assistant",
      content: "A",
      thinking: "Hm",
      tool_calls: [{ function: { name: "a" } }, { function: { name: "b" } }],
    },
    done: true,
    done_reason: "stop",
    eval_count: 3,
  });
});
