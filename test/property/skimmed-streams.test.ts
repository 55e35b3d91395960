import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ApiName, loadApi } from "../../src/dialects/registry.js";
import { textBytes } from "../../src/framing/bytes.js";
import type { Family } from "../../src/gateway/models/family.js";
import { renderAnswer } from "../../src/gateway/models/rendering.js";
import { connect } from "../../src/providers/connect.js";
import { bytesOf, cutAt, positionsWithin } from "../generate/chunks.js";
import { corpus } from "../support/corpus.js";

const NAME = "mine/é";

/** A provider's stream as a client of the gateway gets it, and how many of its bytes were not parsed. */
async function forward(api: ApiName, modelAt: string, chunks: readonly Uint8Array[]) {
  const fetch = async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const family: Family = {
    api: await loadApi(api),
    provider: "acme",
    modelAt,
    essential: {},
    list: "messages",
    roles: [],
    isFunction: () => true,
    ping: () => "",
    conceal({ usage, ...rest }) {
      return usage === undefined ? rest : rest["choices"] === undefined ? { ...rest, usage } : rest;
    },
  };
  const rendering = renderAnswer(family, { body: {}, model: NAME, stream: true });
  const model = connect("acme/m", { api, baseUrl: "http://x.test", apiKey: "k", fetch, maxRetries: 0 });
  const frames: Uint8Array[] = [];
  let skimmed = 0;
  for await (const batch of model.forward({ messages: [] }, { skim: true })) {
    for (const payload of batch.payloads) if ("shape" in payload) skimmed += payload.end - payload.start;
    for (const frame of rendering.write(batch)) {
      if (typeof frame === "string") frames.push(bytesOf(frame));
      else frames.push("byteString" in frame ? textBytes(frame.byteString) : frame);
    }
  }
  return { text: Buffer.concat(frames).toString(), skimmed };
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });
/** Text that looks like the fields that are replaced, and characters of one to four bytes. */
const pieces = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom('"model":"m-1"', ',"usage":null', "\\", '\\"', "\n\ndata: {", "é漢😀", "[DONE]"),
);

const kinds = ["content", "reasoning_content", "arguments", "spaced", "usage"] as const;

/** The events of a stream that are always read, before any of these. */
const first = Array.from({ length: 8 }, (_, index) => ["content", `${index}`] as const);

/** A chunk of a Chat Completions stream with a piece of content. */
function chatChunk(kind: (typeof kinds)[number], piece: string): string {
  const call = { index: 0, function: { arguments: piece } };
  const delta =
    kind === "arguments" ? { tool_calls: [call] } : { [kind === "spaced" ? "content" : kind]: piece };
  const usage = kind === "usage" ? { completion_tokens: piece.length } : null;
  const chunk = { id: "c", model: "m-1", choices: [{ index: 0, delta, finish_reason: null }], usage };
  const text = JSON.stringify({ ...chunk, obfuscation: "x".repeat(piece.length % 7) });
  return kind === "spaced" ? text.replaceAll('":', '": ') : text;
}

describe("a stream that is not parsed", () => {
  test("reaches a client of Chat Completions with its name for the model, cut anywhere", async () => {
    let [skimmed, all] = [0, 0];
    const deltas = fc.array(fc.tuple(fc.constantFrom(...kinds), pieces), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(deltas, cuts, async (list, numbers) => {
        const chunks = [...first, ...list].map(([kind, piece]) => chatChunk(kind, piece));
        const end = '{"id":"c","model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';
        const stream = bytesOf([...chunks, end, "[DONE]"].map((data) => `data: ${data}\n\n`).join(""));
        const got = await forward("openai-chat", "/model", cutAt(stream, positionsWithin(stream, numbers)));
        const values = got.text.split("\n\n").map((event) => event.replace(/^data: /, ""));
        const expected = [...chunks, end].map((chunk) => {
          const { usage: _, ...value } = { ...JSON.parse(chunk), model: NAME };
          return value;
        });
        expect(values.slice(0, -2).map((value) => JSON.parse(value))).toEqual(expected);
        expect(values.slice(-2)).toEqual(["[DONE]", ""]);
        skimmed += got.skimmed;
        all += stream.length;
      }),
      { numRuns: 200 },
    );
    expect(skimmed / all).toBeGreaterThan(0.05);
  });

  test("reaches a client of Anthropic's API byte for byte, cut anywhere", async () => {
    let [skimmed, all] = [0, 0];
    const start = `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"${NAME}","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`;
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 12 }), cuts, async (list, numbers) => {
        const events = [
          start,
          '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
          ...[...first.map(([, text]) => text), ...list].map((text) =>
            JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
          ),
          '{"type":"content_block_stop","index":0}',
          '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}',
          '{"type":"message_stop"}',
        ];
        const text = events.map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`).join("");
        const stream = bytesOf(text);
        const got = await forward(
          "anthropic",
          "/message/model",
          cutAt(stream, positionsWithin(stream, numbers)),
        );
        expect(got.text).toBe(text);
        skimmed += got.skimmed;
        all += stream.length;
      }),
      { numRuns: 200 },
    );
    expect(skimmed / all).toBeGreaterThan(0.2);
  });
});

const recordings = corpus("streams/ai-sdk");

/** The payloads of every recorded stream of a provider, one on each line. */
function recorded(folder: string): string[][] {
  const path = join(recordings ?? "", folder);
  const files = readdirSync(path).filter((name) => name.endsWith(".chunks.txt"));
  return files.map((name) =>
    readFileSync(join(path, name), "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  );
}

describe.skipIf(recordings === undefined)("recorded streams", () => {
  test.each([
    ["anthropic", 15],
    ["deepseek", 1],
    ["groq", 1],
    ["mistral", 1],
  ] as const)("%s: every split gives the same bytes", async (folder, least) => {
    const api = folder === "anthropic" ? "anthropic" : "openai-chat";
    const modelAt = folder === "anthropic" ? "/message/model" : "/model";
    const streams = recorded(folder);
    expect(streams.length).toBeGreaterThanOrEqual(least);
    for (const payloads of streams) {
      const name = (data: string) => (folder === "anthropic" ? `event: ${JSON.parse(data).type}\n` : "");
      const end = folder === "anthropic" ? "" : "data: [DONE]\n\n";
      const stream = bytesOf(`${payloads.map((data) => `${name(data)}data: ${data}\n\n`).join("")}${end}`);
      const positions = (step: number) => Array.from({ length: stream.length / step }, (_, at) => at * step);
      const whole = await forward(api, modelAt, [stream]);
      for (const step of [997, 64]) {
        const { text } = await forward(api, modelAt, cutAt(stream, positions(step)));
        expect(text).toBe(whole.text);
      }
    }
  });
});
