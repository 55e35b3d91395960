import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, test } from "vitest";
import type { StreamPayload } from "../../../src/core/api/provider.js";
import { type AssistantMessage, events } from "../../../src/core/index.js";
import type { JsonObject } from "../../../src/core/json/value.js";
import { anthropicApi } from "../../../src/dialects/anthropic/index.js";
import { type FakeAnswer, fakeAnthropic } from "../../fakes/anthropic.js";

const citation = { type: "char_location", cited_text: "é", document_index: 0, document_title: null };

/** An answer with one of everything that the API can say. */
const message: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Hm, 漢字 😀…", thinkingSignature: "EqQBCg==" },
    { type: "thinking", thinking: "", redacted: true, thinkingSignature: "EmwK" },
    { type: "text", text: "Voilà.\n\nTwo lines.", ext: { anthropic: { fields: { citations: [citation] } } } },
    {
      type: "opaque",
      dialect: "anthropic",
      value: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "é" } },
    },
    {
      type: "opaque",
      dialect: "anthropic",
      value: { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
    },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "text", text: "Signed elsewhere.", textSignature: "msg_7" },
    {
      type: "toolCall",
      id: "toolu_1",
      name: "save",
      arguments: { text: 'a "b" \\ \n é', n: [1, null, { x: true }] },
    },
    { type: "toolCall", id: "toolu_2", name: "now", arguments: {} },
  ],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: {
    input: 10,
    output: 20,
    cacheRead: 30,
    cacheWrite: 40,
    totalTokens: 100,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp: 1_700_000_000_000,
  ext: { anthropic: { response: { fields: { id: "msg_1", container: { id: "c", expires_at: "2026" } } } } },
};

const expected = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-6",
  content: [
    { type: "thinking", thinking: "Hm, 漢字 😀…", signature: "EqQBCg==" },
    { type: "redacted_thinking", data: "EmwK" },
    { type: "text", text: "Voilà.\n\nTwo lines.", citations: [citation] },
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "é" } },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
    { type: "text", text: "Signed elsewhere." },
    {
      type: "tool_use",
      id: "toolu_1",
      name: "save",
      input: { text: 'a "b" \\ \n é', n: [1, null, { x: true }] },
    },
    { type: "tool_use", id: "toolu_2", name: "now", input: {} },
  ],
  container: { id: "c", expires_at: "2026" },
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: {
    input_tokens: 10,
    output_tokens: 20,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 40,
  },
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function clientOf(answer: FakeAnswer): Promise<Anthropic> {
  const server = await fakeAnthropic(() => answer);
  closing.push(server.close);
  return new Anthropic({ baseURL: server.url, apiKey: "none", maxRetries: 0 });
}

const params = {
  model: "claude-opus-4-6",
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "hi" }],
};

/** Two characters at a time, so that most blocks have many deltas. */
const inPairs = (text: string) => text.match(/[\s\S]{1,2}/g) ?? [];

function streamOf(from: AssistantMessage, live: boolean): StreamPayload[] {
  const writer = anthropicApi.streamWriter();
  return [...events(from, inPairs)].flatMap((event) =>
    writer.push(live && "contentIndex" in event ? { ...event, partial: from } : event),
  );
}

/** As JSON, without what the client adds for itself. */
function plain(value: object): JsonObject {
  const { stop_details: _, parsed_output: __, ...rest } = JSON.parse(JSON.stringify(value)) as JsonObject;
  return rest;
}

describe("the official client", () => {
  test.each([
    [1, true],
    [7, true],
    [1000, true],
    [undefined, true],
    [13, false],
  ])("puts our stream together, %s bytes at a time, with the live message: %s", async (chunkBytes, live) => {
    const stream = streamOf(message, live);
    const client = await clientOf({ stream, ...(chunkBytes === undefined ? {} : { chunkBytes }) });
    const final = await client.messages.stream(params).finalMessage();
    expect(plain(final)).toEqual(expected);
  });

  test("reads our response", async () => {
    const client = await clientOf({ body: anthropicApi.response(message) });
    expect(plain(await client.messages.create(params))).toEqual(expected);
  });

  test("sees a refusal as one", async () => {
    const refused: AssistantMessage = {
      ...message,
      content: [],
      stopReason: "error",
      errorMessage: "Blocked.",
      ext: { anthropic: { response: { fields: { stop_reason: "refusal" } } } },
    };
    const client = await clientOf({ stream: streamOf(refused, true) });
    const final = await client.messages.stream(params).finalMessage();
    expect(final.stop_reason).toBe("refusal");
  });

  test("throws our error", async () => {
    const failed: AssistantMessage = { ...message, stopReason: "error", errorMessage: "Out of tea" };
    const client = await clientOf({ stream: streamOf(failed, true) });
    await expect(client.messages.stream(params).finalMessage()).rejects.toThrow("Out of tea");
  });

  test("is refused by the fake as by the real API", async () => {
    const client = await clientOf({ body: {} });
    const call = client.messages.create({ ...params, messages: [{ role: "user", content: "" }] });
    await expect(call).rejects.toThrow("all messages must have non-empty content");
  });
});

test("blocks are opened and closed one after the other", () => {
  const marks = streamOf(message, true).flatMap(({ data }) =>
    typeof data === "object" && /block_st/.test(String(data["type"])) ? [[data["type"], data["index"]]] : [],
  );
  expect(marks).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((index) => [
      ["content_block_start", index],
      ["content_block_stop", index],
    ]),
  );
});
