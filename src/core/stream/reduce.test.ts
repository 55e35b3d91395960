import { describe, expect, test } from "vitest";
import { emptyUsage } from "../message/usage.js";
import type { AssistantMessage, AssistantMessageEvent } from "../types.js";
import { collect, liveEvents } from "./events.js";
import { MessageReducer, reduce } from "./reduce.js";

const header: AssistantMessage = {
  role: "assistant",
  content: [],
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 1,
};
const start: AssistantMessageEvent = { type: "start", partial: header };

async function* stream(...events: AssistantMessageEvent[]) {
  yield* events;
}

describe("the live partial", () => {
  test("is one object, and shows arguments while they arrive", () => {
    const reducer = new MessageReducer();
    reducer.push(start);
    const { partial } = reducer;
    reducer.push({ type: "toolcall_start", contentIndex: 0, id: "c1", name: "write" });
    reducer.push({ type: "toolcall_delta", contentIndex: 0, delta: '{"path":"a.ts","te' });
    expect(partial?.content).toEqual([
      { type: "toolCall", id: "c1", name: "write", arguments: { path: "a.ts" } },
    ]);
    reducer.push({ type: "toolcall_delta", contentIndex: 0, delta: 'xt":"one ' });
    reducer.push({ type: "toolcall_delta", contentIndex: 0, delta: "two" });
    expect(JSON.stringify(partial?.content)).toBe(
      '[{"type":"toolCall","id":"c1","name":"write","arguments":{"path":"a.ts","text":"one two"}}]',
    );
    expect(reducer.partial).toBe(partial);
  });

  test("becomes the final message", () => {
    const reducer = new MessageReducer();
    reducer.push(start);
    const { partial } = reducer;
    const message = { ...header, content: [{ type: "text" as const, text: "x", textSignature: "s" }] };
    reducer.push({ type: "done", reason: "stop", message });
    expect(partial).toEqual(message);
    expect(reducer.finish()).toBe(partial);
  });

  test("takes the call's name from the producer's partial when the event does not say it", () => {
    const reducer = new MessageReducer();
    reducer.push(start);
    const live: AssistantMessage = {
      ...header,
      content: [{ type: "toolCall", id: "c9", name: "exec", arguments: {} }],
    };
    reducer.push({ type: "toolcall_start", contentIndex: 0, partial: live });
    expect(reducer.partial?.content[0]).toMatchObject({ id: "c9", name: "exec" });
  });

  test("a delta without a start begins its block", () => {
    const reducer = new MessageReducer();
    reducer.push(start);
    reducer.push({ type: "text_delta", contentIndex: 0, delta: "hel" });
    reducer.push({ type: "text_delta", contentIndex: 0, delta: "lo" });
    expect(reducer.partial?.content).toEqual([{ type: "text", text: "hello" }]);
  });
});

describe("a broken stream", () => {
  test("keeps what had arrived, and says that the arguments were cut off", () => {
    const message = reduce([
      start,
      { type: "text_delta", contentIndex: 0, delta: "I will write" },
      { type: "toolcall_start", contentIndex: 1, id: "c1", name: "write" },
      { type: "toolcall_delta", contentIndex: 1, delta: '{"path":"a.ts","text":"uncle' },
    ]);
    expect(message).toEqual({
      ...header,
      content: [
        { type: "text", text: "I will write" },
        {
          type: "toolCall",
          id: "c1",
          name: "write",
          arguments: { path: "a.ts", text: "uncle" },
          argumentsError: "the arguments were cut off",
        },
      ],
      stopReason: "error",
      errorMessage: "the stream ended before its terminal event",
      ext: { synthesised: ["/usage"] },
    });
  });

  test("is `aborted` only when the caller aborted", async () => {
    const controller = new AbortController();
    controller.abort();
    const events = [];
    for await (const event of liveEvents(stream(start), controller.signal)) events.push(event);
    expect(events.at(-1)).toMatchObject({
      type: "error",
      reason: "aborted",
      error: { stopReason: "aborted" },
    });
  });

  test("that fails before it starts is thrown", async () => {
    // biome-ignore lint/correctness/useYield: it fails first
    const failing = async function* (): AsyncGenerator<AssistantMessageEvent> {
      throw new Error("refused");
    };
    await expect(collect(failing())).rejects.toThrow("refused");
  });

  test("without any event has no message", async () => {
    await expect(collect(stream())).rejects.toMatchObject({ code: "events/wrong-block" });
  });
});

describe("misuse", () => {
  const done: AssistantMessageEvent = { type: "done", reason: "stop", message: header };
  test.each<[string, string, AssistantMessageEvent[]]>([
    ["an event after the end", "events/after-end", [start, done, done]],
    ["a block before the start", "events/wrong-block", [{ type: "text_start", contentIndex: 0 }]],
    ["an index that skips", "events/wrong-block", [start, { type: "text_start", contentIndex: 1 }]],
    ["an index that is none", "events/wrong-block", [start, { type: "text_start", contentIndex: -1 }]],
    [
      "a delta of another kind",
      "events/wrong-block",
      [
        start,
        { type: "text_start", contentIndex: 0 },
        { type: "thinking_delta", contentIndex: 0, delta: "x" },
      ],
    ],
  ])("%s is refused", (_, code, events) => {
    expect(() => reduce(events)).toThrow(expect.objectContaining({ code }));
  });

  test("events after the terminal one are not handed on", async () => {
    const out = [];
    for await (const event of liveEvents(stream(start, done, start))) out.push(event.type);
    expect(out).toEqual(["start", "done"]);
  });
});
