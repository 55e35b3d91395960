import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert } from "../../../src/convert/convert.js";
import type { Origin } from "../../../src/core/api/provider.js";
import { DragomanError } from "../../../src/core/error.js";
import { priced } from "../../../src/core/message/usage.js";
import type { AssistantMessage } from "../../../src/core/types.js";
import { googleApi } from "../../../src/dialects/google/index.js";
import { SseReader } from "../../../src/framing/sse.js";
import { corpus } from "../../support/corpus.js";

const streams = corpus("streams");

const origin: Origin = {
  provider: "google",
  model: "gemini",
  timestamp: 1_740_000_000_000,
  price: (tokens) => priced(tokens, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  priceKnown: false,
};

/** As much of a recorded payload as is looked at here. */
interface Payload {
  candidates?: { content?: { parts?: Part[] } }[];
  usageMetadata?: Partial<Record<string, number>>;
}

interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: {
    name?: string;
    args?: object;
    partialArgs?: { jsonPath: string; stringValue: string }[];
  };
}

interface Recording {
  name: string;
  payloads: Payload[];
}

function chunkFiles(pattern: RegExp): Recording[] {
  if (streams === undefined) return [];
  const folder = join(streams, "ai-sdk", "google");
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => {
      const lines = readFileSync(join(folder, name), "utf8").split("\n");
      return { name, payloads: lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line)) };
    });
}

interface Interaction {
  name: string;
  request: string;
  response: string;
}

function interactions(): Interaction[] {
  if (streams === undefined) return [];
  const folder = join(streams, "opencode");
  return readdirSync(folder)
    .filter((name) => name.startsWith("gemini-"))
    .flatMap((name) => {
      const file: { interactions: { request: { body: string }; response: { body: string } }[] } = JSON.parse(
        readFileSync(join(folder, name), "utf8"),
      );
      return file.interactions.map(({ request, response }, index) => ({
        name: `${name} ${index}`,
        request: request.body,
        response: response.body,
      }));
    });
}

function read(payloads: readonly unknown[]): AssistantMessage {
  const reader = googleApi.streamReader(origin);
  const events = [...payloads.flatMap((payload) => reader.push(payload)), ...reader.finish()];
  const last = events.at(-1);
  if (last?.type !== "done") throw new Error(`expected the end of the answer, found ${last?.type}`);
  return last.message;
}

/** What a message says, flat: of calls the name, and each value in its arguments by its path. */
function saidBy({ content, usage, stopReason }: AssistantMessage) {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const thoughts = content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []));
  const signatures = content.map((block) =>
    block.type === "text"
      ? block.textSignature
      : block.type === "thinking"
        ? block.thinkingSignature
        : block.type === "toolCall"
          ? block.thoughtSignature
          : undefined,
  );
  return {
    text: texts.join(""),
    thinking: thoughts.join(""),
    calls: content.flatMap((block) =>
      block.type === "toolCall" ? [[block.name, flat(block.arguments)]] : [],
    ),
    signatures: signatures.filter((signature) => signature !== undefined),
    opaque: content.filter(({ type }) => type === "opaque").length,
    usage: {
      input: usage.input,
      output: usage.output,
      cacheRead: usage.cacheRead,
      totalTokens: usage.totalTokens,
    },
    stopReason,
  };
}

function flat(value: unknown, path = "$"): Record<string, unknown> {
  if (Array.isArray(value))
    return Object.assign({}, ...value.map((one, index) => flat(one, `${path}[${index}]`)));
  if (typeof value !== "object" || value === null) return { [path]: value };
  return Object.assign({}, ...Object.entries(value).map(([key, one]) => flat(one, `${path}.${key}`)));
}

/** The same by plain concatenation of what was recorded. */
function recorded(payloads: readonly Payload[]) {
  const parts = payloads.flatMap((payload) => payload.candidates?.[0]?.content?.parts ?? []);
  const calls: [string, Record<string, unknown>][] = [];
  for (const { functionCall: { name, args = {}, partialArgs = [] } = {} } of parts) {
    if (name !== undefined) calls.push([name, flat(args)]);
    for (const { jsonPath, stringValue } of partialArgs) {
      const [, values] = calls.at(-1) ?? ["", {}];
      values[jsonPath] = `${values[jsonPath] ?? ""}${stringValue}`;
    }
  }
  const usage = payloads.findLast(({ usageMetadata }) => usageMetadata?.["promptTokenCount"] !== undefined);
  const count = (name: string) => usage?.usageMetadata?.[`${name}TokenCount`] ?? 0;
  return {
    text: parts
      .filter((part) => !part.thought)
      .map((part) => part.text ?? "")
      .join(""),
    thinking: parts
      .filter((part) => part.thought)
      .map((part) => part.text ?? "")
      .join(""),
    calls,
    signatures: parts.flatMap((part) => part.thoughtSignature ?? []),
    opaque: 0,
    usage: {
      input: count("prompt") - count("cachedContent"),
      output: count("candidates") + count("thoughts"),
      cacheRead: count("cachedContent"),
      totalTokens: count("total"),
    },
    stopReason: calls.length > 0 ? "toolUse" : "stop",
  };
}

describe.skipIf(streams === undefined)("recordings of Gemini", () => {
  const answers = chunkFiles(/^google-/);
  const exchanges = interactions();

  test("are there", () => {
    expect([answers.length, chunkFiles(/^(?!google-)/).length, exchanges.length]).toEqual([5, 7, 4]);
  });

  test.each(answers)("$name says what its pieces say", ({ payloads }) => {
    const message = read(payloads);
    expect(saidBy(message)).toEqual(recorded(payloads));
    const ids = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_.:-]{1,128}$/);
  });

  test("arguments streamed value by value are one object", () => {
    const nested = answers.find(({ name }) => name.startsWith("google-vertex-"));
    const { content } = read(nested?.payloads ?? []);
    const [call] = content.flatMap((block) => (block.type === "toolCall" ? [flat(block.arguments)] : []));
    expect(call).toMatchObject({
      "$.recipe.name": "Lasagna",
      "$.recipe.ingredients[1].name": "Ground beef",
      "$.recipe.steps[4]": "In a 9x13 baking dish, spread a thin layer of meat sauce.",
      "$.recipe.steps[9]": "Let stand for 15 minutes before serving.",
    });
  });

  test.each(answers)("$name, cut off anywhere, is an error with what had arrived", ({ payloads }) => {
    for (let length = 0; length < payloads.length; length++) {
      const reader = googleApi.streamReader(origin);
      const events = [
        ...payloads.slice(0, length).flatMap((payload) => reader.push(payload)),
        ...reader.finish(),
      ];
      expect(events.filter(({ type }) => type === "done" || type === "error")).toHaveLength(1);
      expect(events.at(-1)?.type).toBe("error");
    }
  });

  test.each(chunkFiles(/^(?!google-)/))("$name is of another API, and said to be", ({ name, payloads }) => {
    const reader = googleApi.streamReader(origin);
    const failure = (() => {
      try {
        for (const payload of payloads) reader.push(payload);
        return undefined;
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(DragomanError);
    const api = name.startsWith("interactions") ? "Interactions" : "Live";
    expect(failure).toMatchObject({
      code: "provider/bad-response",
      message: expect.stringContaining(`Google's ${api} API`),
    });
    expect(reader.fail("refused", "error").at(-1)?.type).toBe("error");
  });

  test.each(exchanges)("$name: the answer, from its bytes", ({ response }) => {
    const bytes = new TextEncoder().encode(response);
    const whole = response
      .split(/\r?\n\r?\n/)
      .flatMap((event) => (event === "" ? [] : [JSON.parse(event.slice("data: ".length))]));
    for (const size of [1, 5, bytes.length]) {
      const sse = new SseReader();
      const payloads: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        payloads.push(...sse.push(bytes.subarray(at, at + size)).map(({ data }) => JSON.parse(data)));
      }
      expect(saidBy(read(payloads))).toEqual(recorded(whole));
    }
  });

  test.each(exchanges)("$name: the request comes back as it was", async ({ request }) => {
    const body: unknown = JSON.parse(request);
    expect(googleApi.request(googleApi.readRequest(body), {}, () => undefined)).toEqual(body);
    const { output, losses } = await convert(request, { from: "google", to: "google" });
    expect(JSON.parse(output)).toEqual(body);
    expect(losses).toEqual([]);
  });
});
