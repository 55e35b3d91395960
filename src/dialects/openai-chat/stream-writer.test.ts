import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, AssistantMessageEvent } from "../../core/types.js";
import { ChatWriter } from "./stream-writer.js";

const message: AssistantMessage = {
  role: "assistant",
  content: [],
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 2000,
};
const head = { id: "chatcmpl-2000", object: "chat.completion.chunk", created: 2, model: "m" };

function deltas(...events: AssistantMessageEvent[]): unknown[] {
  const writer = new ChatWriter();
  writer.push({ type: "start", partial: message });
  return events
    .flatMap((event) => writer.push(event))
    .map(({ data }) => {
      const [choice] = typeof data === "object" && Array.isArray(data["choices"]) ? data["choices"] : [];
      return choice?.delta ?? data;
    });
}

test("a stream from beginning to end", () => {
  const writer = new ChatWriter();
  const choice = { index: 0, logprobs: null, finish_reason: null };
  expect(writer.push({ type: "start", partial: message })).toEqual([
    { data: { ...head, choices: [{ ...choice, delta: { role: "assistant", content: "" } }] } },
  ]);
  expect(writer.push({ type: "text_start", contentIndex: 0 })).toEqual([]);
  expect(writer.push({ type: "text_delta", contentIndex: 0, delta: "x" })).toEqual([
    { data: { ...head, choices: [{ ...choice, delta: { content: "x" } }] } },
  ]);
  expect(writer.push({ type: "text_end", contentIndex: 0, content: "x" })).toEqual([]);
  expect(
    writer.push({ type: "done", reason: "length", message: { ...message, stopReason: "length" } }),
  ).toEqual([
    { data: { ...head, choices: [{ ...choice, delta: {}, finish_reason: "length" }] } },
    {
      data: {
        ...head,
        choices: [],
        usage: {
          prompt_tokens: 0,
          completion_tokens: 0,
          total_tokens: 0,
          prompt_tokens_details: { cached_tokens: 0 },
        },
      },
    },
    { data: "[DONE]" },
  ]);
});

test("no usage is sent that nobody counted", () => {
  const uncounted = { ...message, ext: { synthesised: ["/usage"] } };
  expect(deltas({ type: "done", reason: "stop", message: uncounted })).toEqual([{}, "[DONE]"]);
});

test("what a producer says only at the end of a block is sent then", () => {
  const toolCall = { type: "toolCall" as const, id: "a", name: "f", arguments: { x: 1 } };
  expect(
    deltas(
      { type: "thinking_end", contentIndex: 0, content: "t" },
      { type: "text_delta", contentIndex: 1, delta: "a" },
      { type: "text_end", contentIndex: 1, content: "ab" },
      { type: "toolcall_start", contentIndex: 2 },
      { type: "toolcall_end", contentIndex: 2, toolCall },
    ),
  ).toEqual([
    { reasoning_content: "t" },
    { content: "a" },
    { content: "b" },
    { tool_calls: [{ index: 0, id: "", type: "function", function: { name: "", arguments: "" } }] },
    { tool_calls: [{ index: 0, id: "a", function: { name: "f" } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] },
  ]);
});

test("blocks that come whole", () => {
  expect(
    deltas(
      { type: "block_end", contentIndex: 0, block: { type: "text", text: "x" } },
      { type: "block_end", contentIndex: 1, block: { type: "image", data: "AAAA", mimeType: "image/png" } },
      { type: "block_end", contentIndex: 2, block: { type: "opaque", dialect: "anthropic", value: {} } },
    ),
  ).toEqual([
    { content: "x" },
    { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
  ]);
});

test("an error is the last word", () => {
  const error: AssistantMessage = { ...message, stopReason: "aborted" };
  expect(deltas({ type: "error", reason: "aborted", error })).toEqual([
    { error: { message: 'the answer ended in "aborted"', type: "server_error", param: null, code: null } },
  ]);
});
