import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { priced } from "../../../src/core/message/usage.js";
import { MessageReducer } from "../../../src/core/stream/reduce.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../../src/core/types.js";
import { openaiResponsesApi as api } from "../../../src/dialects/openai-responses/index.js";
import { SseReader } from "../../../src/framing/sse.js";
import { corpus } from "../../support/corpus.js";

const folder = corpus("streams");

/** What the test looks at in a payload; the recordings hold more. */
interface Payload {
  type: string;
  output_index: number;
  content_index?: number;
  summary_index?: number;
  delta?: string;
  text?: string;
  item: Item;
  response: { output: Item[]; usage: Recorded };
}

interface Item {
  type: string;
  call_id: string;
  name: string;
  arguments: string;
}

interface Recorded {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number; cache_write_tokens?: number };
  output_tokens: number;
}

const files = (path: string, pattern: RegExp) =>
  folder === undefined
    ? []
    : readdirSync(join(folder, path))
        .filter((name) => pattern.test(name))
        .map((name) => join(path, name));

const textOf = (path: string) => readFileSync(join(folder ?? "", path), "utf8");

function linesOf(path: string): Payload[] {
  const lines = textOf(path).split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

const interactionsOf = (
  path: string,
): { request: { body: string; url: string }; response: { body: string } }[] =>
  JSON.parse(textOf(path)).interactions;

function eventsOf(body: string): Payload[] {
  const reader = new SseReader();
  const events = reader.push(new TextEncoder().encode(body));
  const last = reader.finish();
  return [...events, ...(last === undefined ? [] : [last])].map(({ data }) => JSON.parse(data));
}

/** Some recordings hold several answers, one after the other. */
function answersIn(payloads: Payload[]): Payload[][] {
  const starts = payloads.flatMap(({ type }, index) => (type === "response.created" ? [index] : []));
  return starts.map((start, index) => payloads.slice(start, starts[index + 1]));
}

const recordings: [string, Payload[]][] = [
  ...["ai-sdk/openai", "ai-sdk/open-responses", "ai-sdk/xai"]
    .flatMap((path) => files(path, /^responses-/))
    .map((path): [string, Payload[]] => [path, linesOf(path)]),
  ...files("opencode", /^(openai-responses|session)-/).flatMap((path) =>
    interactionsOf(path).map(({ response }, index): [string, Payload[]] => [
      `${path} ${index}`,
      eventsOf(response.body),
    ]),
  ),
];

const requests: [string, object][] = files("opencode", /^(openai-responses|session)-/).flatMap((path) =>
  interactionsOf(path).map(({ request }, index): [string, object] => [
    `${path} ${index}`,
    JSON.parse(request.body),
  ]),
);

const origin = {
  provider: "openai",
  model: "m",
  timestamp: 1,
  priceKnown: true,
  price: (tokens: Parameters<typeof priced>[0]) =>
    priced(tokens, { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }),
};

function read(payloads: Payload[]): AssistantMessage {
  const reader = api.streamReader(origin);
  const reducer = new MessageReducer();
  const take = (events: LiveAssistantMessageEvent[]) => {
    for (const { ...event } of events) reducer.push(event);
  };
  for (const payload of payloads) take(reader.push(structuredClone(payload)));
  expect(reader.ended).toBe(true);
  return reducer.finish();
}

const shortened = new Map([
  ["ai-sdk/openai/responses-openai-phase.1.chunks.txt", 2],
  ["ai-sdk/openai/responses-openai-shell-container.1.chunks.txt", 1],
]);

/** How many texts were not the sum of their deltas: these recordings were shortened. */
let differing = 0;

/** The pieces of one kind, put together item by item and part by part. */
function pieces(
  payloads: Payload[],
  kind: string,
  part: "content_index" | "summary_index",
): Map<number, string> {
  const texts = new Map<string, { index: number; text: string }>();
  for (const payload of payloads) {
    const key = `${payload.output_index}/${payload[part] ?? 0}`;
    const known = texts.get(key) ?? { index: payload.output_index, text: "" };
    if (payload.type === `response.${kind}.delta`) {
      texts.set(key, { ...known, text: known.text + (payload.delta ?? "") });
    } else if (payload.type === `response.${kind}.done`) {
      if (payload.text !== known.text) differing++;
      texts.set(key, { ...known, text: payload.text ?? "" });
    }
  }
  const items = new Map<number, string>();
  for (const { index, text } of texts.values()) {
    const before = items.get(index);
    items.set(index, before === undefined ? text : `${before}\n\n${text}`);
  }
  return items;
}

/** The answer put together from its chunks, without any code of ours. */
function concatenated(payloads: Payload[]) {
  const done = payloads
    .filter(({ type }) => type === "response.output_item.done")
    .sort((a, b) => a.output_index - b.output_index);
  const text = pieces(payloads, "output_text", "content_index");
  const summary = pieces(payloads, "reasoning_summary_text", "summary_index");
  const thought = pieces(payloads, "reasoning_text", "content_index");
  const last = payloads.find(({ type }) => type === "response.completed");
  if (last === undefined) throw new Error("the recording has no end");
  const { usage } = last.response;
  const { cached_tokens: cacheRead, cache_write_tokens: cacheWrite = 0 } = usage.input_tokens_details;
  const calls = done.filter(({ item }) => item.type === "function_call");
  return {
    blocks: done.map(({ item, output_index }) => {
      switch (item.type) {
        case "message":
          return ["text", text.get(output_index)];
        case "reasoning":
          return ["thinking", summary.get(output_index) ?? thought.get(output_index) ?? ""];
        case "function_call":
          return ["toolCall", item.call_id, item.name, JSON.parse(item.arguments)];
        default:
          return ["opaque", item];
      }
    }),
    usage: [usage.input_tokens - cacheRead - cacheWrite, usage.output_tokens, cacheRead, cacheWrite],
    stopReason: calls.length > 0 ? "toolUse" : "stop",
  };
}

function seen({ content, usage, stopReason }: AssistantMessage) {
  return {
    blocks: content.map((block) => {
      switch (block.type) {
        case "text":
          return ["text", block.text];
        case "thinking":
          return ["thinking", block.thinking];
        case "toolCall":
          return ["toolCall", block.id, block.name, block.arguments];
        case "opaque":
          return ["opaque", block.value];
        default:
          return [block.type];
      }
    }),
    usage: [usage.input, usage.output, usage.cacheRead, usage.cacheWrite],
    stopReason,
  };
}

describe.skipIf(folder === undefined)("recorded answers of the Responses API", () => {
  test("there are as many as we know of", () => {
    const answers = recordings.flatMap(([, payloads]) => answersIn(payloads));
    expect([recordings.length, answers.length, requests.length]).toEqual([31, 34, 10]);
  });

  test.each(recordings)("%s is what its chunks say", (name, payloads) => {
    differing = 0;
    for (const answer of answersIn(payloads)) {
      const message = read(answer);
      expect(seen(message)).toEqual(concatenated(answer));
      expect(message.usage.totalTokens).toBe(
        message.usage.input + message.usage.output + message.usage.cacheRead + message.usage.cacheWrite,
      );
    }
    expect(differing).toBe(shortened.get(name) ?? 0);
  });

  test.each(recordings)("%s, cut off before its end, keeps what had arrived", (_, payloads) => {
    const [answer = []] = answersIn(payloads);
    const reader = api.streamReader(origin);
    const end = answer.findIndex(({ type }) => type === "response.completed");
    for (const payload of answer.slice(0, end)) reader.push(structuredClone(payload));
    const [last] = reader.finish().slice(-1);
    expect(last?.type).toBe("error");
    if (last?.type !== "error") return;
    expect(last.error.errorMessage).toBe("the stream ended before the response was complete");
    expect(seen(last.error).blocks).toEqual(concatenated(answer).blocks);
  });

  test.each(recordings)("%s: the answer is sent back with its items as they came", (_, payloads) => {
    const [answer = []] = answersIn(payloads);
    const message = read(answer);
    const call = { model: "m", context: { messages: [message] }, options: {}, stream: true };
    const { input } = api.request(call, {}, () => undefined);
    const items: unknown[] = Array.isArray(input) ? input : [];
    const kept = answer
      .filter(
        ({ type, item }) => type === "response.output_item.done" && !/^(message|reasoning)$/.test(item.type),
      )
      .sort((a, b) => a.output_index - b.output_index)
      .map(({ item }) => item);
    const unpaired = JSON.stringify(message.ext).includes('"unpaired":true');
    const calls = items.filter((item) => !/"(role|type)":"(assistant|reasoning)"/.test(JSON.stringify(item)));
    expect(calls).toHaveLength(kept.length);
    if (!unpaired) expect(calls).toEqual(kept);
  });
});

describe.skipIf(folder === undefined)("recorded requests of the Responses API", () => {
  test.each(requests)("%s comes back as it was", (_, body) => {
    expect(api.request(api.readRequest(body), {}, () => undefined)).toEqual(body);
  });
});
