import { describe, expect, test } from "vitest";
import { convert } from "./convert.js";
import { detect } from "./detect.js";

const payloads = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-6",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 3,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 1,
      },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 2 },
  },
  { type: "message_stop" },
];

const response = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-6",
  content: [{ type: "text", text: "Hello" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
};

const answer = {
  role: "assistant",
  content: [{ type: "text", text: "Hello" }],
  api: "anthropic-messages",
  provider: "",
  model: "claude-opus-4-6",
  usage: {
    input: 3,
    output: 2,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 5,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 0,
  ext: {
    synthesised: ["/usage/cost", "/provider", "/timestamp"],
    anthropic: { response: { fields: { id: "msg_1" } } },
  },
};

const sse = payloads
  .map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`)
  .join("");
const lines = payloads.map((payload) => JSON.stringify(payload)).join("\n");

describe("an answer that was recorded", () => {
  test.each([
    ["server-sent events", sse],
    ["server-sent events without the last blank line", sse.trimEnd()],
    ["server-sent events after a comment, with CRLF", `: hi\r\n\r\n${sse.replaceAll("\n", "\r\n")}`],
    ["a payload per line", lines],
    ["a response", JSON.stringify(response, null, 2)],
  ])("as %s", async (_, text) => {
    const [first] = await detect(text);
    expect(first?.dialect).toBe("anthropic");
    const { output, losses } = await convert(text, { from: "anthropic", to: "openclaw" });
    expect(JSON.parse(output)).toEqual(answer);
    expect(losses.map(({ what, severity }) => [what, severity])).toEqual([
      ["usage.cost", "synthesised"],
      ["provider", "synthesised"],
      ["timestamp", "synthesised"],
    ]);
  });

  test("becomes a response in its own dialect, with nothing lost", async () => {
    const { output, losses } = await convert(sse, { from: "anthropic", to: "anthropic" });
    expect(JSON.parse(output)).toEqual(response);
    expect(losses).toEqual([]);
  });

  test("several in a row are several answers", async () => {
    const { output } = await convert(`${sse}data: [DONE]\n\n${sse}`, { from: "anthropic", to: "openclaw" });
    expect(output.trim().split("\n")).toHaveLength(2);
  });

  test("a stream that breaks off says so and keeps what had arrived", async () => {
    const { output } = await convert(sse.slice(0, sse.indexOf("event: content_block_stop")), {
      from: "anthropic",
      to: "openclaw",
    });
    expect(JSON.parse(output)).toMatchObject({
      content: [{ type: "text", text: "Hello" }],
      stopReason: "error",
      errorMessage: "the stream ended before message_stop",
    });
  });

  test("bad JSON has its line", async () => {
    const bad = sse.replace('{"type":"message_stop"}', '{"type":"message_stop"');
    await expect(convert(bad, { from: "anthropic", to: "openclaw" })).rejects.toMatchObject({
      code: "json/syntax",
      line: 17,
    });
  });

  test("numbers that do not fit are in the ledger", async () => {
    const big = sse.replace('"output_tokens":2', '"output_tokens":2,"big":12345678901234567890');
    const { losses } = await convert(big, { from: "anthropic", to: "openclaw" });
    expect(losses).toContainEqual({
      at: "/payloads/4",
      what: "the number 12345678901234567890",
      why: "it is stored as the double 12345678901234567000",
      severity: "approximated",
    });
  });
});

test("an empty conversation is an empty list, and back", async () => {
  const { output } = await convert("", { from: "openclaw", to: "anthropic" });
  expect(output).toBe("[]\n");
  expect((await convert(output, { from: "anthropic", to: "openclaw" })).output).toBe("");
});
