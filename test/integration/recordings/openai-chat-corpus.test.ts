import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Origin } from "../../../src/core/api/provider.js";
import { priced } from "../../../src/core/message/usage.js";
import type { AssistantMessage } from "../../../src/core/types.js";
import { openaiChatApi } from "../../../src/dialects/openai-chat/index.js";
import { corpus } from "../../support/corpus.js";

const root = corpus("streams");

const origin: Origin = {
  provider: "recorded",
  model: "recorded",
  timestamp: 1_700_000_000_000,
  price: (tokens) => priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: false,
};

interface RecordedChunk {
  choices: {
    delta: {
      content?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: { index?: number; id?: string; function: { name?: string; arguments?: string } }[];
    };
    finish_reason?: string | null;
  }[];
  usage?: RecordedUsage | null;
}

interface RecordedUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: { cached_tokens: number };
}

type Recorded = RecordedChunk | "[DONE]";

interface Recording {
  name: string;
  payloads: Recorded[];
}

function chunkFiles(): Recording[] {
  const folders = ["deepseek", "groq", "mistral", "openai-compatible", "openai"];
  return folders.flatMap((folder) =>
    readdirSync(join(root ?? "", "ai-sdk", folder))
      .filter((file) => folder !== "openai" || file.startsWith("chat-"))
      .map((file) => ({
        name: `${folder}/${file}`,
        payloads: lines(readFileSync(join(root ?? "", "ai-sdk", folder, file), "utf8")),
      })),
  );
}

function lines(text: string): Recorded[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}

interface Interaction extends Recording {
  request: object;
}

function interactions(): Interaction[] {
  const folder = join(root ?? "", "opencode");
  return readdirSync(folder)
    .filter((file) => /^openai-(compatible-)?chat/.test(file))
    .flatMap((file) => {
      const recorded: { interactions: { request: { body: string }; response: { body: string } }[] } =
        JSON.parse(readFileSync(join(folder, file), "utf8"));
      return recorded.interactions.map((one, index) => ({
        name: `${file} ${index}`,
        request: JSON.parse(one.request.body),
        payloads: one.response.body
          .split("\n")
          .filter((line) => line.startsWith("data: "))
          .map((line): Recorded => (line === "data: [DONE]" ? "[DONE]" : JSON.parse(line.slice(6)))),
      }));
    });
}

/** What the chunks say, by plain concatenation. */
function plain(payloads: Recorded[]) {
  const said = {
    text: "",
    thinking: "",
    calls: [] as { id: string; name: string; text: string }[],
    finish: "",
  };
  let usage: RecordedUsage | undefined;
  for (const chunk of payloads) {
    if (chunk === "[DONE]") continue;
    usage = chunk.usage ?? usage;
    for (const { delta, finish_reason } of chunk.choices) {
      said.text += delta.content ?? "";
      said.thinking += delta.reasoning_content ?? delta.reasoning ?? "";
      said.finish = finish_reason ?? said.finish;
      for (const call of delta.tool_calls ?? []) {
        const known = said.calls[call.index ?? 0] ?? { id: "", name: "", text: "" };
        said.calls[call.index ?? 0] = {
          id: known.id || (call.id ?? ""),
          name: known.name || (call.function.name ?? ""),
          text: known.text + (call.function.arguments ?? ""),
        };
      }
    }
  }
  return { ...said, usage };
}

function read(payloads: Recorded[]): { message: AssistantMessage; terminal: string[] } {
  const reader = openaiChatApi.streamReader(origin);
  const events = [...payloads.flatMap((payload) => reader.push(payload)), ...reader.finish()];
  const last = events.at(-1);
  if (last?.type !== "done" && last?.type !== "error") throw new Error("no terminal event");
  return {
    message: last.type === "done" ? last.message : last.error,
    terminal: events.map(({ type }) => type).filter((type) => type === "done" || type === "error"),
  };
}

function expectSame({ payloads }: { payloads: Recorded[] }): void {
  const { message, terminal } = read(payloads);
  const expected = plain(payloads);
  const joined = (type: "text" | "thinking") =>
    message.content
      .map((block) =>
        block.type !== type
          ? ""
          : block.type === "text"
            ? block.text
            : block.type === "thinking"
              ? block.thinking
              : "",
      )
      .join("");
  expect(terminal).toEqual(["done"]);
  expect(joined("text")).toBe(expected.text);
  expect(joined("thinking")).toBe(expected.thinking);
  const calls = message.content.filter((block) => block.type === "toolCall");
  expect(calls.map(({ id, name, arguments: given }) => ({ id, name, given }))).toEqual(
    expected.calls.map(({ id, name, text }) => ({ id, name, given: JSON.parse(text) })),
  );
  const byFinish: Record<string, string> = { stop: "stop", length: "length", tool_calls: "toolUse" };
  expect(message.stopReason).toBe(calls.length > 0 ? "toolUse" : byFinish[expected.finish]);
  const { usage } = expected;
  if (usage === undefined) throw new Error("the recording has no usage");
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  expect(message.usage.cacheRead).toBe(cached);
  expect(message.usage.input).toBe(usage.prompt_tokens - cached);
  expect(message.usage.totalTokens).toBe(usage.total_tokens);
  expect(message.usage.output).toBe(usage.total_tokens - usage.prompt_tokens);
}

describe.skipIf(root === undefined)("recorded streams of Chat Completions", () => {
  const recordings = root === undefined ? [] : chunkFiles();
  const exchanges = root === undefined ? [] : interactions();

  test("there are as many as we know", () => {
    expect([recordings.length, exchanges.length]).toEqual([9, 11]);
  });

  test.each(recordings)("$name reads as its chunks say", (recording) => expectSame(recording));
  test.each(exchanges)("$name reads as its chunks say", (exchange) => expectSame(exchange));

  test.each(exchanges)("the request of $name comes back as it was", ({ request }) => {
    const call = openaiChatApi.readRequest(request);
    expect(openaiChatApi.request(call, {}, () => undefined)).toEqual(request);
  });

  test.each([...recordings, ...exchanges])(
    "$name without its end is an error with what had arrived",
    ({ payloads }) => {
      const whole = payloads.filter(
        (chunk) => chunk !== "[DONE]" && !chunk.choices.some(({ finish_reason }) => finish_reason),
      );
      const { message, terminal } = read(whole);
      expect(terminal).toEqual(["error"]);
      expect(message.errorMessage).toBe("the stream ended before the answer was finished");
      if (plain(whole).text !== "") expect(JSON.stringify(message.content)).toContain('"text"');
    },
  );

  test("what OpenRouter billed is the cost", () => {
    const billed = exchanges
      .filter(({ name }) => name.includes("openrouter"))
      .map(({ payloads }) => read(payloads).message);
    expect(billed.map(({ usage }) => usage.cost.total)).toEqual([0.00566, 0.00497, 0.00001305]);
  });

  test("xAI counts reasoning apart and bills in ticks", () => {
    const [xai] = recordings.filter(({ name }) => name.includes("xai"));
    const { usage, ext } = read(xai?.payloads ?? []).message;
    expect(usage).toMatchObject({
      input: 1,
      output: 253,
      cacheRead: 306,
      totalTokens: 560,
      cost: { total: 0.00014975 },
    });
    expect(ext?.["openai-chat"]).toMatchObject({ usage: { reasoningTokens: 227 } });
  });
});
