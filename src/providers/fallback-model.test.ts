import { beforeEach, describe, expect, test } from "vitest";
import { DragomanError } from "../core/error.js";
import type { FallbackReason } from "../core/message/fallbacks.js";
import type { AgentMessage, LiveAssistantMessageEvent } from "../core/types.js";
import type { Fallback } from "./ask-in-turn.js";
import { type ConnectOptions, connect } from "./connect.js";
import { type ConnectorEvent, registerConnector } from "./connectors.js";
import type { Model, StreamOptions } from "./model.js";

/** What each model does when it is asked: its events, or an error before them. */
let script: Record<string, readonly (ConnectorEvent | Error)[]>;
let asked: string[];
let fallbacks: Fallback[];

beforeEach(() => {
  script = {};
  asked = [];
  fallbacks = [];
  registerConnector("acme", {
    async *stream({ id }) {
      asked.push(id);
      for (const step of script[id] ?? []) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  });
});

const text = (delta: string): ConnectorEvent => ({ type: "text_delta", delta });
const done: ConnectorEvent = { type: "done", stopReason: "stop" };
const failing = (status: number, message = "no") =>
  new DragomanError("provider/http", `HTTP ${status}: ${message}`, { details: { status, retryable: true } });
const tooLong = new DragomanError("provider/context-overflow", "prompt is too long");
const context = { messages: [{ role: "user" as const, content: "hi", timestamp: 0 }] };

function list(
  others: ConnectOptions["fallbacks"] = ["acme/b", "acme/c"],
  options: ConnectOptions = {},
): Model {
  return connect("acme/a", { ...options, fallbacks: others, onFallback: (each) => fallbacks.push(each) });
}

async function eventsOf(model: Model, options?: StreamOptions): Promise<LiveAssistantMessageEvent[]> {
  const events: LiveAssistantMessageEvent[] = [];
  for await (const event of model.stream(context, options)) events.push(event);
  return events;
}

test("the first model answers, and the others are not asked", async () => {
  script = { a: [text("A"), done] };
  const answer = await list().complete(context);
  expect(answer).toMatchObject({ provider: "acme", model: "a", content: [{ type: "text", text: "A" }] });
  expect(answer.ext?.["fallbacks"]).toBeUndefined();
  expect({ asked, fallbacks }).toEqual({ asked: ["a"], fallbacks: [] });
});

test("the answer names the model that gave it, and those that failed before", async () => {
  script = { a: [failing(529)], b: [failing(429)], c: [text("C"), done] };
  expect(await list().complete(context)).toMatchObject({
    provider: "acme",
    model: "c",
    content: [{ type: "text", text: "C" }],
    ext: {
      fallbacks: [
        { model: "acme/a", reason: "overload" },
        { model: "acme/b", reason: "rateLimit" },
      ],
    },
  });
  expect(fallbacks).toEqual([
    { from: "acme/a", to: "acme/b", reason: "overload" },
    { from: "acme/b", to: "acme/c", reason: "rateLimit" },
  ]);
});

test("an error event before any content is a failure, too", async () => {
  script = {
    a: [{ type: "start" }, { type: "error", error: new Error("Overloaded") }],
    b: [text("B"), done],
  };
  const events = await eventsOf(list());
  expect(events.map(({ type }) => type)).toEqual(["start", "text_start", "text_delta", "text_end", "done"]);
  expect(events[0]).toMatchObject({
    partial: { model: "b", ext: { fallbacks: [{ model: "acme/a", reason: "overload" }] } },
  });
});

describe("conditions", () => {
  const others = (b: FallbackReason[], c: FallbackReason[]) => [
    { model: "acme/b", on: b },
    { model: "acme/c", on: c },
  ];

  test("a model that is not for this failure is passed over", async () => {
    script = { a: [failing(529)], c: [text("C"), done] };
    await list(others(["context"], ["overload"])).complete(context);
    expect(asked).toEqual(["a", "c"]);
  });

  test("each failure is compared with the conditions of the models after it", async () => {
    script = { a: [tooLong], b: [failing(500)], c: [text("C"), done] };
    await list(others(["context"], ["unavailable"])).complete(context);
    expect(asked).toEqual(["a", "b", "c"]);
  });

  test("without a model for the failure it is the caller's", async () => {
    script = { a: [failing(429)] };
    await expect(list(others(["context"], ["overload"])).complete(context)).rejects.toThrow("HTTP 429: no");
    expect({ asked, fallbacks }).toEqual({ asked: ["a"], fallbacks: [] });
  });
});

test("a failure that another model does not fix is the caller's", async () => {
  script = { a: [new DragomanError("provider/no-key", "no key for acme")] };
  await expect(list().complete(context)).rejects.toMatchObject({ code: "provider/no-key" });
  expect(asked).toEqual(["a"]);
});

test("after the first content nothing else is asked", async () => {
  script = { a: [text("half"), new Error("Overloaded")] };
  expect(await list().complete(context)).toMatchObject({
    model: "a",
    stopReason: "error",
    errorMessage: "Overloaded",
    content: [{ type: "text", text: "half" }],
  });
  expect({ asked, fallbacks }).toEqual({ asked: ["a"], fallbacks: [] });
});

test("thinking and the beginning of a call are content", async () => {
  script = { a: [{ type: "thinking_start" }, new Error("Overloaded")] };
  expect(await list().complete(context)).toMatchObject({ model: "a", stopReason: "error" });
  script = { a: [{ type: "toolcall_start", id: "1", name: "read" }, new Error("Overloaded")] };
  expect(await list().complete(context)).toMatchObject({ model: "a", stopReason: "error" });
  expect(asked).toEqual(["a", "a"]);
});

test("if all fail, the last failure names those before it", async () => {
  script = { a: [failing(529)], b: [failing(429)], c: [failing(500, "broken")] };
  await expect(list().complete(context)).rejects.toMatchObject({
    code: "provider/http",
    message: "HTTP 500: broken; failed before: acme/a (overload), acme/b (rateLimit)",
    details: { status: 500, retryable: true },
  });
});

test("an abort asks no other model", async () => {
  const controller = new AbortController();
  registerConnector("acme", {
    // biome-ignore lint/correctness/useYield: it is aborted before it answers.
    async *stream({ id }) {
      asked.push(id);
      controller.abort();
      throw failing(529);
    },
  });
  const events = await eventsOf(list(), { signal: controller.signal });
  expect(events.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
  expect(asked).toEqual(["a"]);
});

test("losses are those of the request that was answered", async () => {
  script = { a: [failing(529)], b: [text("B"), done] };
  const rule: AgentMessage = { role: "system", content: "Be brief.", timestamp: 0 };
  const reported: string[][] = [];
  await list().complete(
    { messages: [...context.messages, rule, ...context.messages] },
    { onLosses: (losses) => reported.push(losses.map(({ at }) => at)) },
  );
  expect(reported).toEqual([["/messages/1"]]);
});

describe("the context window", () => {
  const window = (contextWindow: number) => ({ card: { contextWindow } });
  const long = { messages: [{ role: "user" as const, content: "word ".repeat(100), timestamp: 0 }] };

  test("a model whose window is known to be too small is not asked", async () => {
    script = { b: [text("B"), done] };
    const model = list([connectOption("acme/b", 1000)], window(100));
    expect(await model.complete(long)).toMatchObject({
      model: "b",
      ext: { fallbacks: [{ model: "acme/a", reason: "context" }] },
    });
    expect(asked).toEqual(["b"]);
  });

  test("unless no other model is for long conversations", async () => {
    script = { a: [text("A"), done] };
    const model = list([{ model: "acme/b", on: ["overload"] }], window(100));
    expect(await model.complete(long)).toMatchObject({ model: "a" });
  });

  test("the window of a list is the largest one of the models for long conversations", () => {
    expect(list([connectOption("acme/b", 1000)], window(100)).card.contextWindow).toBe(1000);
    expect(list(["acme/b"], window(100)).card.contextWindow).toBeUndefined();
    const small = list([{ ...connectOption("acme/b", 1000), on: ["overload"] }], window(100));
    expect(small.card.contextWindow).toBe(100);
  });

  function connectOption(name: string, contextWindow: number) {
    return { model: connect(name, window(contextWindow)) };
  }
});

test("a list within a list is a part of it", async () => {
  script = { a: [failing(529)], b: [failing(529)], c: [text("C"), done] };
  const inner = connect("acme/b", { fallbacks: ["acme/c"] });
  expect(await list([{ model: inner, on: ["overload"] }]).complete(context)).toMatchObject({ model: "c" });
  expect(fallbacks.map(({ to }) => to)).toEqual(["acme/b", "acme/c"]);
});

test("a preview is of the first model", async () => {
  const local = { baseUrl: "http://127.0.0.1:9", api: "openai-chat" } as const;
  const model = connect("one/x", {
    ...local,
    fallbacks: [connect("two/y", local)].map((each) => ({ model: each })),
  });
  expect((await model.preview(context)).request).toMatchObject({ model: "x" });
});

test("a forwarded request goes only to models behind the same API", async () => {
  const bodies: string[] = [];
  const fetch = async (url: string) => {
    bodies.push(new URL(url).host);
    return Response.json({ error: { message: "Overloaded" } }, { status: 529 });
  };
  const at = (host: string, api: "anthropic" | "openai-chat") =>
    connect(`${host}/m`, { baseUrl: `http://${host}`, api, apiKey: "k", maxRetries: 0, fetch });
  const model = connect("one/m", {
    ...{ baseUrl: "http://one", api: "anthropic", apiKey: "k", maxRetries: 0, fetch },
    fallbacks: [{ model: at("two", "openai-chat") }, { model: at("three", "anthropic") }],
  });
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
  await expect(model.forward(body).next()).rejects.toThrow(
    "HTTP 529: Overloaded; failed before: one/m (overload)",
  );
  expect(bodies).toEqual(["one", "three"]);
});

test("embeddings are only those of the first model", async () => {
  const embedded: string[] = [];
  registerConnector("acme", {
    async *stream() {},
    async embed({ id }) {
      embedded.push(id);
      throw failing(529);
    },
  });
  await expect(list().embed(["a text"])).rejects.toThrow("HTTP 529");
  expect(embedded).toEqual(["a"]);
  expect(fallbacks).toEqual([]);
});
