import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { Ollama } from "ollama";
import { describe, expect, test } from "vitest";
import type { Origin } from "../../../src/core/api/provider.js";
import { type AssistantMessage, events, priced } from "../../../src/core/index.js";
import { ollamaApi } from "../../../src/dialects/ollama/index.js";
import { ollamaServer } from "../../fakes/ollama.js";
import { assistantMessage } from "../../generate/messages.js";

const message: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Two cities, é 😀 漢." },
    { type: "text", text: "Let me look.\n" },
    { type: "toolCall", id: "toolu_1", name: "weather", arguments: { city: "Oslo", "a/b": [1, null] } },
    { type: "text", text: "And Rome 😀." },
    { type: "toolCall", id: "toolu_2", name: "weather", arguments: {} },
  ],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: {
    input: 10,
    output: 20,
    cacheRead: 3,
    cacheWrite: 4,
    totalTokens: 37,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp: 1763193600000,
};

const words = (text: string) => text.match(/[^ ]+ *| +/g) ?? [];

function linesOf(answer: AssistantMessage, cut = words): unknown[] {
  const writer = ollamaApi.streamWriter();
  return [...events(answer, cut)].flatMap((event) => writer.push(event)).map(({ data }) => data);
}

async function withServer<T>(
  lines: readonly unknown[],
  chunkSize: number,
  use: (client: Ollama, seen: unknown[]) => Promise<T>,
): Promise<T> {
  const seen: unknown[] = [];
  const server = createServer(ollamaServer(lines, { chunkSize, seen }));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  try {
    return await use(new Ollama({ host: `http://127.0.0.1:${port}` }), seen);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

const request = { model: "claude-opus-4-6", messages: [{ role: "user", content: "Hi" }] };

/** What a program that uses the client puts together. */
async function assemble(client: Ollama) {
  const whole = { content: "", thinking: "", calls: [] as unknown[] };
  let last: unknown;
  for await (const part of await client.chat({ ...request, stream: true })) {
    whole.content += part.message.content;
    whole.thinking += part.message.thinking ?? "";
    whole.calls.push(...(part.message.tool_calls ?? []));
    last = part;
  }
  return { whole, last };
}

const calls = [
  { id: "toolu_1", function: { name: "weather", arguments: { city: "Oslo", "a/b": [1, null] } } },
  { id: "toolu_2", function: { name: "weather", arguments: {} } },
];
const tail = {
  model: "claude-opus-4-6",
  created_at: "2025-11-15T08:00:00.000Z",
  done: true,
  done_reason: "stop",
  prompt_eval_count: 17,
  eval_count: 20,
};

describe("the official client", () => {
  test.each([1, 3, 17, 256, 1_000_000])("puts our stream together, in pieces of %i bytes", async (size) => {
    const { whole, last } = await withServer(linesOf(message), size, assemble);
    expect(whole).toEqual({
      content: "Let me look.\n\nAnd Rome 😀.",
      thinking: "Two cities, é 😀 漢.",
      calls,
    });
    expect(last).toEqual({ ...tail, message: { role: "assistant", content: "" } });
  });

  test("takes our whole answer", async () => {
    const answer = await withServer([ollamaApi.response(message)], 64, (client) => client.chat(request));
    expect(answer).toEqual({
      ...tail,
      message: {
        role: "assistant",
        content: "Let me look.\n\nAnd Rome 😀.",
        thinking: "Two cities, é 😀 漢.",
        tool_calls: calls,
      },
    });
  });

  test("says that an answer was cut off for its length", async () => {
    const cut: AssistantMessage = {
      ...message,
      content: [{ type: "text", text: "Al" }],
      stopReason: "length",
    };
    const { last } = await withServer(linesOf(cut), 64, assemble);
    expect(last).toMatchObject({ done: true, done_reason: "length" });
  });

  test("throws what our stream ends with when it fails", async () => {
    const failed: AssistantMessage = { ...message, stopReason: "error", errorMessage: "overloaded" };
    await expect(withServer(linesOf(failed), 64, assemble)).rejects.toThrow("overloaded");
  });

  test("sends requests that we read and write back", async () => {
    const asked = {
      model: "gemma3:4b",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "What is it?", images: [new Uint8Array([0x89, 0x50, 0x4e, 0x47])] },
        {
          role: "assistant",
          content: "",
          thinking: "Hm",
          tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }],
        },
        { role: "tool", content: "x", tool_name: "f" },
      ],
      think: true,
      format: { type: "object" },
      keep_alive: "5m",
      options: { num_ctx: 4096, num_predict: 20 },
      tools: [
        { type: "function", function: { name: "f", description: "d", parameters: { type: "object" } } },
      ],
    };
    const [body] = await withServer([ollamaApi.response(message)], 64, async (client, seen) => {
      await client.chat(asked);
      return seen;
    });
    const call = ollamaApi.readRequest(body);
    expect(call).toMatchObject({
      model: "gemma3:4b",
      stream: false,
      context: {
        systemPrompt: "Be brief.",
        messages: [
          { role: "user", content: [{ text: "What is it?" }, { type: "image", data: "iVBORw==" }] },
          {
            role: "assistant",
            content: [{ thinking: "Hm" }, { id: "call_1", name: "f", arguments: { a: 1 } }],
          },
          { role: "toolResult", toolCallId: "call_1", toolName: "f" },
        ],
        tools: [{ name: "f", description: "d", parameters: { type: "object" } }],
      },
      options: {
        thinking: "medium",
        maxTokens: 20,
        output: { schema: { type: "object" } },
        extra: { keep_alive: "5m", options: { num_ctx: 4096 } },
      },
    });
    expect(ollamaApi.request(call, {}, () => undefined)).toEqual(body);
  });

  test("and gets a refusal for requests that the server does not take", async () => {
    const refused = withServer([], 64, (client) => client.chat({ ...request, think: "low" }));
    await expect(refused).rejects.toThrow('think value "low" is not supported for this model');
  });
});

describe("generated answers", () => {
  const origin: Origin = {
    provider: "x",
    model: "m",
    timestamp: 1,
    price: (tokens) => priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
    priceKnown: true,
  };

  const textOf = ({ content }: AssistantMessage) =>
    content.flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text] : [])).join("\n");
  const thoughtOf = ({ content }: AssistantMessage) =>
    content
      .flatMap((block) => (block.type === "thinking" && block.thinking !== "" ? [block.thinking] : []))
      .join("\n");
  const callsOf = ({ content }: AssistantMessage) =>
    content.flatMap((block) => (block.type === "toolCall" ? [[block.id, block.name, block.arguments]] : []));
  const joined = (content: AssistantMessage["content"], type: "text" | "thinking") =>
    content
      .map((block) => (block.type === type ? (block.type === "text" ? block.text : block.thinking) : ""))
      .join("");

  test("say the same streamed, whole and read back", () => {
    const seen = { calls: 0, thoughts: 0, failed: 0 };
    fc.assert(
      fc.property(assistantMessage, fc.integer({ min: 1, max: 5 }), (answer, size) => {
        const cut = (text: string) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
        const reader = ollamaApi.streamReader(origin);
        const read = linesOf(answer, cut)
          .flatMap((line) => reader.push(line))
          .at(-1);
        expect(reader.ended).toBe(true);
        const failed = answer.stopReason === "error" || answer.stopReason === "aborted";
        const streamed =
          read?.type === "done" ? read.message : read?.type === "error" ? read.error : undefined;
        if (streamed === undefined) throw new Error("no terminal event");
        expect(read?.type).toBe(failed ? "error" : "done");
        expect(joined(streamed.content, "text")).toBe(textOf(answer));
        expect(joined(streamed.content, "thinking")).toBe(thoughtOf(answer));
        expect(callsOf(streamed)).toEqual(callsOf(answer));
        seen.calls += callsOf(answer).length;
        seen.thoughts += thoughtOf(answer) === "" ? 0 : 1;
        seen.failed += failed ? 1 : 0;
        if (failed) return;
        const { input, output, cacheRead, cacheWrite } = answer.usage;
        expect([streamed.usage.input, streamed.usage.output]).toEqual([
          input + cacheRead + cacheWrite,
          output,
        ]);
        const whole = ollamaApi.readResponse(ollamaApi.response(answer), origin);
        expect(joined(whole.content, "text")).toBe(textOf(answer));
        expect(callsOf(whole)).toEqual(callsOf(answer));
        expect(whole.usage).toEqual(streamed.usage);
      }),
      { numRuns: 300 },
    );
    expect(seen.calls).toBeGreaterThan(50);
    expect(seen.thoughts).toBeGreaterThan(50);
    expect(seen.failed).toBeGreaterThan(30);
  });
});
