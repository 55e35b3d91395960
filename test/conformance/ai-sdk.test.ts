import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  convertToModelMessages,
  type ModelMessage,
  modelMessageSchema,
  streamText,
  validateUIMessages,
} from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import * as version7 from "ai-7";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { knownName } from "../../src/convert/detect.js";
import { dialects as listDialects } from "../../src/convert/dialects.js";
import { repair } from "../../src/convert/repair.js";
import type { AssistantMessage, ToolResultMessage } from "../../src/core/index.js";
import type { DialectName } from "../../src/dialects/registry.js";
import { conversation, transcript } from "../generate/conversations.js";
import { runs } from "../generate/runs.js";

/*
 * The AI SDK itself, versions 6 and 7, judges what we write: its validator and its schema accept every message, and a
 * model that is called with them is shown the same conversation.
 */

const corpus = fileURLToPath(new URL("../../conformance/", import.meta.url));
const names = (await listDialects()).filter(({ reads }) => reads).map(({ name }) => knownName(name));
const fixtures = names.flatMap((name) => {
  const folder = join(corpus, name);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /\.jsonl?$/.test(file)) : [];
  return files.map((file): [DialectName, string] => [name, file]);
});
const read = (name: DialectName, file: string) => readFileSync(join(corpus, name, file), "utf8");

/** Files of our own dialects that the AI SDK refuses, and that come back as they were. */
const refused = new Set(["odd-records.json", "data-and-unknown-parts.json", "outputs.json"]);
const foreign = fixtures.filter(([name]) => !name.startsWith("ai-sdk"));

/** The messages of a document. With escrow, a conversation that the format cannot represent is a record without a role. */
function messagesIn(output: string): object[] {
  const records: object[] = JSON.parse(output);
  return records.filter((record) => "role" in record);
}

async function acceptUi(output: string): Promise<ModelMessage[]> {
  const messages = messagesIn(output);
  if (messages.length === 0) return [];
  const validated = await validateUIMessages({ messages });
  const converted = await convertToModelMessages(validated);
  for (const message of converted) expect(modelMessageSchema.safeParse(message).error).toBeUndefined();
  const newest = await version7.convertToModelMessages(await version7.validateUIMessages({ messages }));
  for (const message of newest) {
    expect(version7.modelMessageSchema.safeParse(message).error).toBeUndefined();
  }
  return converted;
}

function acceptModel(output: string): ModelMessage[] {
  return messagesIn(output).map((message) => {
    const { data, error } = modelMessageSchema.safeParse(message);
    expect(error, JSON.stringify(message)).toBeUndefined();
    expect(version7.modelMessageSchema.safeParse(message).error, JSON.stringify(message)).toBeUndefined();
    if (data === undefined) throw new Error("refused");
    return data;
  });
}

describe("the AI SDK accepts", () => {
  test.each(foreign)("%s/%s as UI messages", async (from, file) => {
    const { output } = await convert(read(from, file), { from, to: "ai-sdk-ui" });
    await acceptUi(output);
  });

  test.each(foreign)("%s/%s as model messages", async (from, file) => {
    const { output } = await convert(read(from, file), { from, to: "ai-sdk" });
    acceptModel(output);
  });

  const own = fixtures.filter(([name, file]) => name.startsWith("ai-sdk") && !refused.has(file));
  test.each(own)("%s/%s in both forms, repaired", async (from, file) => {
    const { output: repaired } = await repair(read(from, file), { from });
    const ui = await convert(repaired, { from, to: "ai-sdk-ui" });
    await acceptUi(ui.output);
    const model = await convert(repaired, { from, to: "ai-sdk" });
    acceptModel(model.output);
  });

  test("generated conversations, with and without escrow", async () => {
    const seen = { ui: 0, model: 0 };
    await fc.assert(
      fc.asyncProperty(conversation, fc.boolean(), async (messages, escrow) => {
        const ui = await convert(transcript(messages), { from: "openclaw", to: "ai-sdk-ui", escrow });
        seen.ui += (await acceptUi(ui.output)).length;
        const model = await convert(transcript(messages), { from: "openclaw", to: "ai-sdk", escrow });
        seen.model += acceptModel(model.output).length;
      }),
      { numRuns: runs(150) },
    );
    expect(seen.ui).toBeGreaterThan(runs(300));
    expect(seen.model).toBeGreaterThan(runs(300));
  });
});

/** A run with thinking, two calls, one of which fails, and a picture. */
const session = transcript([
  { role: "system", content: "Be brief.", timestamp: 1 },
  {
    role: "user",
    content: [
      { type: "text", text: "What is this, and how warm is it in Graz?" },
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
    ],
    timestamp: 2,
  },
  answer([
    { type: "thinking", thinking: "Two tools.", thinkingSignature: "c2lnbmF0dXJl" },
    { type: "text", text: "I will look." },
    { type: "toolCall", id: "c1", name: "weather", arguments: { city: "Graz" } },
    { type: "toolCall", id: "c2", name: "inspect", arguments: {} },
  ]),
  result("c1", "weather", "21 degrees", false),
  result("c2", "inspect", "no such picture", true),
  answer([{ type: "text", text: "It is 21 °C." }]),
  { role: "user", content: "Thanks.", timestamp: 9 },
]);

function answer(content: AssistantMessage["content"]): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost };
  const origin = { api: "anthropic-messages", provider: "anthropic", model: "claude-opus-4-6" };
  return { role: "assistant", content, ...origin, usage, stopReason: "stop", timestamp: 3 };
}

function result(toolCallId: string, toolName: string, text: string, isError: boolean): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName,
    content: [{ type: "text", text }],
    isError,
    timestamp: 4,
  };
}

/** What the AI SDK passes to a model for the session, without fields that are undefined. */
const prompt = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "What is this, and how warm is it in Graz?" },
      { type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" },
    ],
  },
  {
    role: "assistant",
    content: [
      {
        type: "reasoning",
        text: "Two tools.",
        providerOptions: { anthropic: { signature: "c2lnbmF0dXJl" } },
      },
      { type: "text", text: "I will look." },
      { type: "tool-call", toolCallId: "c1", toolName: "weather", input: { city: "Graz" } },
      { type: "tool-call", toolCallId: "c2", toolName: "inspect", input: {} },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName: "weather",
        output: { type: "text", value: "21 degrees" },
      },
      {
        type: "tool-result",
        toolCallId: "c2",
        toolName: "inspect",
        output: { type: "error-text", value: "no such picture" },
      },
    ],
  },
  { role: "assistant", content: [{ type: "text", text: "It is 21 °C." }] },
  { role: "user", content: [{ type: "text", text: "Thanks." }] },
];

/** What `streamText` passes to a model that is called with these messages. */
async function promptFor(messages: ModelMessage[]): Promise<unknown> {
  const model = new MockLanguageModelV3({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "You are welcome." },
          { type: "text-end", id: "1" },
          { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: noUsage },
        ],
      }),
    }),
  });
  const { text } = streamText({ model, messages, allowSystemInMessages: true });
  expect(await text).toBe("You are welcome.");
  return JSON.parse(JSON.stringify(model.doStreamCalls[0]?.prompt));
}

const noUsage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

describe("a model is shown the same conversation", () => {
  test("through UI messages", async () => {
    const { output } = await convert(session, { from: "openclaw", to: "ai-sdk-ui" });
    expect(await promptFor(await acceptUi(output))).toEqual(prompt);
  });

  test("through model messages", async () => {
    const { output } = await convert(session, { from: "openclaw", to: "ai-sdk" });
    expect(await promptFor(acceptModel(output))).toEqual(prompt);
  });
});
