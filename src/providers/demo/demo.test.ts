import { describe, expect, test } from "vitest";
import type { CallOptions, Context } from "../../core/api/provider.js";
import type { LiveAssistantMessageEvent } from "../../core/types.js";
import { connect } from "../connect.js";
import { words } from "./words.js";

const world = { now: () => 1_740_000_000_000 };
const ask = (text: string, more: Partial<Context> = {}): Context => ({
  messages: [{ role: "user", content: text, timestamp: 1 }],
  ...more,
});

async function all(events: AsyncIterable<LiveAssistantMessageEvent>): Promise<LiveAssistantMessageEvent[]> {
  const list: LiveAssistantMessageEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

const told = (event: LiveAssistantMessageEvent) =>
  "delta" in event ? `${event.type} ${event.delta}` : event.type;

test.each([
  ["one two  three", ["one", " two", "  three"]],
  ["", []],
  [" a\n", [" a", "\n"]],
])("%j is cut into words that join to it again", (text, expected) => {
  expect(words(text)).toEqual(expected);
  expect(words(text).join("")).toBe(text);
});

describe("demo/echo", () => {
  test("says what the user said, word by word", async () => {
    const events = await all(connect("demo/echo", { world }).stream(ask("Hello there")));
    expect(events.map(told)).toEqual([
      "start",
      "text_start",
      "text_delta Hello",
      "text_delta  there",
      "text_end",
      "done",
    ]);
  });
  test("counts words as tokens, and does not claim to know a price", async () => {
    expect(await connect("demo/echo", { world }).complete(ask("Hello there"))).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "Hello there" }],
      api: "demo",
      provider: "demo",
      model: "echo",
      usage: {
        input: 2,
        output: 2,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 4,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason: "stop",
      timestamp: 1_740_000_000_000,
      ext: { synthesised: ["/usage/cost"] },
    });
  });
});

describe("demo/echo and structured output", () => {
  const said = async (text: string, options: CallOptions) => {
    const { content } = await connect("demo/echo", { world }).complete(ask(text), options);
    return content;
  };
  test("is JSON that fits the schema", async () => {
    const schema = {
      type: "object",
      properties: {
        city: { type: "string" },
        degrees: { type: "integer", minimum: 3 },
        sky: { enum: ["clear", "grey"] },
        when: { type: "string", format: "date" },
        near: { type: "array", items: { $ref: "#/$defs/place" }, minItems: 2 },
        wind: { anyOf: [{ type: "number" }, { type: "null" }] },
      },
      required: ["city", "degrees", "sky", "when", "near", "wind"],
      $defs: { place: { type: "object", properties: { dry: { type: "boolean" } }, required: ["dry"] } },
    };
    expect(await said("Oslo", { output: { schema } })).toEqual([
      {
        type: "text",
        text: '{"city":"Oslo","degrees":3,"sky":"clear","when":"2026-01-01","near":[{"dry":true},{"dry":true}],"wind":1}',
      },
    ]);
  });
  test("ends for a schema that contains itself", async () => {
    const schema = {
      type: "object",
      properties: { next: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
      required: ["next"],
    };
    expect(await said("x", { output: { schema } })).toEqual([
      { type: "text", text: '{"next":{"next":{"next":null}}}' },
    ]);
  });
  test("is an object where any JSON will do", async () => {
    expect(await said("Oslo", { output: "json" })).toEqual([{ type: "text", text: '{"text":"Oslo"}' }]);
  });
  test("stop sequences end the answer", async () => {
    expect(await said("one two three", { stop: ["three", " two"] })).toEqual([{ type: "text", text: "one" }]);
  });
});

test.each([["any"], [{ name: "write" }]] as const)(
  "demo/echo calls a tool that it must call: %j",
  async (toolChoice) => {
    const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const tools = ["write", "read"].map((name) => ({ name, description: "", parameters }));
    const answer = await connect("demo/echo", { world }).complete(ask("a.ts", { tools }), { toolChoice });
    expect(answer).toMatchObject({
      content: [{ type: "toolCall", id: "call_1_0", name: "write", arguments: { path: "a.ts" } }],
      stopReason: "toolUse",
    });
  },
);

test("demo/tools reports its results in the form that is asked for", async () => {
  const schema = { type: "object", properties: { report: { type: "string" } }, required: ["report"] };
  const answer = await connect("demo/tools", { world }).complete(ask("x"), { output: { schema } });
  expect(answer.content).toEqual([{ type: "text", text: '{"report":"I was given no tools."}' }]);
});

test("demo/tools calls nothing when it must not", async () => {
  const tools = [{ name: "read", description: "", parameters: {} }];
  const answer = await connect("demo/tools", { world }).complete(ask("x", { tools }), { toolChoice: "none" });
  expect(answer.content).toEqual([{ type: "text", text: "I was given no tools." }]);
});

test("demo/tools calls what it is given with arguments that fit, then tells the results", async () => {
  const model = connect("demo/tools", { world });
  const tools = [
    {
      name: "read",
      description: "",
      parameters: {
        type: "object",
        properties: { path: { type: "string" }, limit: { type: "integer", minimum: 5 } },
        required: ["path", "limit"],
      },
    },
  ];
  const first = await model.complete(ask("a.ts", { tools }));
  expect(first.stopReason).toBe("toolUse");
  expect(first.content).toEqual([
    { type: "thinking", thinking: "I have read. I will try it." },
    { type: "toolCall", id: "call_1_0", name: "read", arguments: { path: "a.ts", limit: 5 } },
  ]);
  const second = await model.complete({
    tools,
    messages: [
      ...ask("a.ts").messages,
      first,
      {
        role: "toolResult",
        toolCallId: "call_1_0",
        toolName: "read",
        content: [{ type: "text", text: "42" }],
        isError: false,
        timestamp: 2,
      },
    ],
  });
  expect(second.content).toEqual([{ type: "text", text: "read said: 42" }]);
});

describe("demo/script", () => {
  const script = (text: string, options = {}) =>
    connect("demo/script", { world, ...options }).complete(ask(text));

  test("does what it is told", async () => {
    expect(
      (await script('think: Hm.\nsay: Let me look.\ncall: read {"path":"a"}\n---\nsay: later')).content,
    ).toEqual([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Let me look." },
      { type: "toolCall", id: "call_1_0", name: "read", arguments: { path: "a" } },
    ]);
  });
  test("pauses, and stops pausing when the answer is cancelled", async () => {
    expect((await script("say: one\nwait: 5\nsay: two")).content).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ]);
    const cancelled = new AbortController();
    const answer = connect("demo/script", { world }).stream(ask("say: one\nwait: 60000\nsay: two"), {
      signal: cancelled.signal,
    });
    const seen: string[] = [];
    for await (const event of answer) {
      seen.push(event.type === "error" ? event.reason : event.type);
      if (event.type === "text_end") cancelled.abort();
    }
    expect(seen).toEqual(["start", "text_start", "text_delta", "text_end", "aborted"]);
  });
  test("writes arguments that are not JSON", async () => {
    expect((await script('malformed: read {"path":')).content).toEqual([
      {
        type: "toolCall",
        id: "call_1_0",
        name: "read",
        arguments: {},
        argumentsError:
          "the arguments are not JSON: expected a value, found the end of the text (line 1, column 9)",
      },
    ]);
  });
  test("breaks off: what had arrived is kept", async () => {
    expect(await script("say: I was\ncut")).toMatchObject({
      content: [{ type: "text", text: "I was" }],
      stopReason: "error",
      errorMessage: "the stream ended before its terminal event",
      ext: { failure: { code: "provider/failed" } },
    });
  });
  test("stalls, until the watchdog barks", async () => {
    let time = 0;
    const timers: (() => void)[] = [];
    const clock = {
      now: () => time,
      after: (_: number, callback: () => void) => {
        timers.push(callback);
        return () => undefined;
      },
    };
    const answer = connect("demo/script", { idleMs: 1000, world: clock }).stream(ask("say: wait\nstall"));
    const seen: string[] = [];
    for await (const event of answer) {
      if (event.type === "error")
        expect(event.error.ext).toMatchObject({ failure: { code: "stream/stalled" } });
      seen.push(event.type === "error" ? `error: ${event.error.errorMessage}` : event.type);
      if (event.type !== "text_end") continue;
      // By then the loop waits for what does not come.
      setImmediate(() => {
        time = 1000;
        for (const timer of timers) timer();
      });
    }
    expect(seen).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_end",
      "error: the provider sent no content for 1 s",
    ]);
  });
  test("is aborted by the caller", async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const event of connect("demo/script", { world }).stream(ask("say: wait\nstall"), {
      signal: controller.signal,
    })) {
      seen.push(event.type === "error" ? event.reason : event.type);
      if (event.type === "text_end") controller.abort();
    }
    expect(seen.at(-1)).toBe("aborted");
  });
  test("refuses, as a rate limit does", async () => {
    await expect(script("fail: 429")).rejects.toMatchObject({
      code: "provider/http",
      details: { status: 429, retryable: true },
    });
  });
  test("fails in mid-answer, with the code of a rate limit", async () => {
    expect(await script("say: I was\nfail: 429")).toMatchObject({
      content: [{ type: "text", text: "I was" }],
      stopReason: "error",
      ext: { failure: { code: "provider/http", status: 429, retryable: true } },
    });
  });
  test("names a step that is none", async () => {
    await expect(script("sing: la")).rejects.toMatchObject({ code: "model/invalid", line: 1 });
    await expect(script("say: a\nsing: la")).rejects.toMatchObject({ code: "model/invalid", line: 2 });
  });
  test("skips what is before the first step", async () => {
    expect(await script("call me careful\n\nBe brief.\nsay: a")).toMatchObject({
      content: [{ type: "text", text: "a" }],
      stopReason: "stop",
    });
  });
});

test("an unknown demo model is named", async () => {
  await expect(connect("demo/gpt").complete(ask("x"))).rejects.toMatchObject({
    code: "provider/unknown",
    hint: "there are echo, tools, script",
  });
});
