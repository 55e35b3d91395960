import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import type { Origin } from "../../../src/core/api/provider.js";
import { type AssistantMessage, events, priced, type StopReason } from "../../../src/core/index.js";
import { anthropicApi } from "../../../src/dialects/anthropic/index.js";
import { corpus } from "../../support/corpus.js";

const streams = corpus("streams/ai-sdk/anthropic");
const exchanges = corpus("streams/opencode");

const origin: Origin = {
  provider: "anthropic",
  model: "",
  timestamp: 1,
  price: (tokens) => priced(tokens, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }),
  priceKnown: true,
};

// biome-ignore lint/suspicious/noExplicitAny: recordings are looked at as they are
type Payload = any;

const REASONS: Record<string, StopReason> = {
  end_turn: "stop",
  tool_use: "toolUse",
  max_tokens: "length",
  refusal: "error",
};

/** What an answer amounts to when its chunks are simply put one after the other. */
function concatenated(payloads: Payload[]) {
  const blocks: Payload[] = [];
  const usage: Record<string, number> = {};
  let reason: string | undefined;
  const count = (numbers: Payload) => {
    for (const key of [
      "input_tokens",
      "output_tokens",
      "cache_read_input_tokens",
      "cache_creation_input_tokens",
    ]) {
      if (typeof numbers?.[key] === "number") usage[key] = numbers[key];
    }
  };
  for (const payload of payloads) {
    if (payload.type === "message_start") {
      blocks.push(...payload.message.content.map((block: Payload) => ({ ...block, json: "" })));
      count(payload.message.usage);
      reason = payload.message.stop_reason ?? undefined;
    }
    if (payload.type === "content_block_start")
      blocks[payload.index] = { ...payload.content_block, json: "" };
    if (payload.type === "content_block_delta") {
      const block = blocks[payload.index];
      const { delta } = payload;
      block.text = block.text === undefined ? undefined : block.text + (delta.text ?? "");
      block.thinking = block.thinking === undefined ? undefined : block.thinking + (delta.thinking ?? "");
      block.json += delta.partial_json ?? "";
      if (delta.signature !== undefined) block.signature = delta.signature;
      if (delta.citation !== undefined) block.citations = [...(block.citations ?? []), delta.citation];
    }
    if (payload.type === "message_delta") {
      reason = payload.delta.stop_reason;
      count(payload.usage);
    }
  }
  const said = blocks.map(({ json, ...block }) => {
    if (block.type === "text") return { type: "text", text: block.text, citations: block.citations ?? [] };
    if (block.type === "thinking")
      return { type: "thinking", thinking: block.thinking, signature: block.signature };
    const input = json === "" ? block.input : JSON.parse(json);
    if (block.type === "tool_use") return { type: "call", id: block.id, name: block.name, input };
    const { text: _, thinking: __, ...rest } = block;
    return { type: "opaque", value: input === undefined ? rest : { ...rest, input } };
  });
  const tokens = [
    usage["input_tokens"] ?? 0,
    usage["output_tokens"] ?? 0,
    usage["cache_read_input_tokens"] ?? 0,
    usage["cache_creation_input_tokens"] ?? 0,
  ];
  return { said, tokens, reason: REASONS[reason ?? ""] };
}

/** The same of a message of ours. */
function summary({ content, usage, stopReason }: AssistantMessage) {
  const said = content.map((block) => {
    switch (block.type) {
      case "text": {
        const { fields } = (block.ext?.["anthropic"] ?? {}) as Payload;
        return { type: "text", text: block.text, citations: fields?.citations ?? [] };
      }
      case "thinking":
        return { type: "thinking", thinking: block.thinking, signature: block.thinkingSignature };
      case "toolCall":
        return { type: "call", id: block.id, name: block.name, input: block.arguments };
      case "opaque":
        return { type: "opaque", value: block.value };
      default:
        return block;
    }
  });
  return { said, tokens: [usage.input, usage.output, usage.cacheRead, usage.cacheWrite], reason: stopReason };
}

function decode(payloads: Payload[]): AssistantMessage {
  const reader = anthropicApi.streamReader(origin);
  const last = payloads.flatMap((payload) => reader.push(payload)).at(-1);
  if (last?.type === "done") return last.message;
  if (last?.type === "error") return last.error;
  throw new Error("no end");
}

describe.skipIf(streams === undefined)("recorded streams", () => {
  const files = streams === undefined ? [] : readdirSync(streams);
  const textOf = (file: string) => readFileSync(join(streams ?? "", file), "utf8");

  function answersOf(file: string): Payload[][] {
    const answers: Payload[][] = [[]];
    for (const line of textOf(file).split("\n")) {
      if (line.trim() === "") continue;
      const payload = JSON.parse(line);
      answers.at(-1)?.push(payload);
      if (payload.type === "message_stop") answers.push([]);
    }
    return answers.filter((answer) => answer.length > 0);
  }

  test("there are these many", () => {
    expect(files).toHaveLength(19);
    expect(files.flatMap(answersOf)).toHaveLength(36);
  });

  test.each(files)("%s says what its chunks say", (file) => {
    for (const payloads of answersOf(file)) {
      // A second message_start repeats the first.
      const once = payloads.filter(({ type }, index) => type !== "message_start" || index === 0);
      expect(summary(decode(payloads))).toEqual(concatenated(once));
    }
  });

  test.each(files)("%s is the same after it was streamed again by us", (file) => {
    for (const payloads of answersOf(file)) {
      const message = decode(payloads);
      for (const live of [true, false]) {
        const writer = anthropicApi.streamWriter();
        const again = [...events(message)].flatMap((event) =>
          writer.push(live && "contentIndex" in event ? { ...event, partial: message } : event),
        );
        expect(decode(again.map(({ data }) => data))).toEqual(message);
      }
      expect(anthropicApi.readResponse(anthropicApi.response(message), origin)).toEqual(message);
    }
  });

  test.each(files)("%s converts the same as lines and as server-sent events", async (file) => {
    const payloads = answersOf(file).flat();
    const sse = payloads
      .map((payload) => `event: ${payload.type}\r\ndata: ${JSON.stringify(payload)}\r\n\r\n`)
      .join("");
    const fromLines = await convert(textOf(file), { to: "openclaw" });
    const fromEvents = await convert(sse, { to: "openclaw" });
    expect(fromLines.from).toBe("anthropic");
    expect(fromEvents).toEqual(fromLines);
    expect(fromLines.output.split("\n").filter((line) => line !== "")).toHaveLength(answersOf(file).length);
  });
});

describe.skipIf(exchanges === undefined)("recorded exchanges", () => {
  const files =
    exchanges === undefined ? [] : readdirSync(exchanges).filter((file) => file.startsWith("anthropic"));
  const bodies = files.flatMap((file) =>
    JSON.parse(readFileSync(join(exchanges ?? "", file), "utf8")).interactions.map(
      ({ request, response }: Payload) => [JSON.parse(request.body), JSON.parse(response.body)] as const,
    ),
  );

  test("every request is written again as it was", () => {
    expect(bodies).toHaveLength(1);
    for (const [request] of bodies) {
      expect(anthropicApi.request(anthropicApi.readRequest(request), {}, () => undefined)).toEqual(request);
    }
  });

  test("an error is read and written again", () => {
    for (const [, response] of bodies) {
      const message = anthropicApi.readResponse(response, origin);
      expect(message.stopReason).toBe("error");
      expect(message.errorMessage).toMatch(/^messages\.1: `tool_use` ids were found without/);
      expect(anthropicApi.response(message)).toEqual(response);
    }
  });
});
