import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AssistantMessage, emptyUsage, events } from "../../../src/core/index.js";
import { TimbalAnswer, TimbalReceiver, TimbalSender, timbal } from "../../../src/dialects/timbal/index.js";
import { assistantMessage } from "../../generate/messages.js";

const A = "01JHN5Y1J00000000000000001";
const B = "01JHN5Y1J00000000000000002";
const C = "01JHN5Y1J00000000000000003";
const NOON = Date.parse("2025-01-15T12:00:00.000Z");

function seen(receiver: TimbalReceiver): unknown[] {
  return receiver.messages().map(({ i, t, value, state }) => [i, state, value, t]);
}

describe("a sender", () => {
  test("makes the frames of a message", () => {
    const sender = new TimbalSender();
    expect(sender.start(A, { type: "agent" })).toEqual({ i: A, m: { type: "agent" } });
    expect(sender.append(A, "Hi")).toEqual({ i: A, a: "Hi" });
    expect(sender.set(A, NOON, { type: "agent", content: "Hi" })).toEqual({
      i: A,
      t: "2025-01-15T12:00:00.000Z",
      v: { type: "agent", content: "Hi" },
    });
    expect(sender.remove(A)).toEqual({ i: A, v: null });
    expect(sender.start(B)).toEqual({ i: B });
  });

  test("puts its stream on every frame", () => {
    const sender = new TimbalSender({ stream: "general" });
    expect(sender.start(A, {})).toEqual({ s: "general", i: A, m: {} });
    expect(sender.append(A, "x")).toEqual({ s: "general", i: A, a: "x" });
    expect(sender.prelude()).toEqual([
      { s: "general", i: A, m: {} },
      { s: "general", i: A, a: "x" },
    ]);
  });

  test("gives those who join complete messages, and open ones as far as they are", () => {
    const sender = new TimbalSender();
    sender.set(A, NOON, { type: "user", content: "Hi" });
    sender.start(B, { type: "agent", sender: "bot" });
    sender.append(B, "Hel");
    sender.append(B, "lo");
    sender.start(C);
    sender.append(C, '{"a":');
    expect(sender.prelude()).toEqual([
      { i: A, t: "2025-01-15T12:00:00.000Z", v: { type: "user", content: "Hi" } },
      { i: B, m: { type: "agent", sender: "bot" } },
      { i: B, a: "Hello" },
      { i: C },
      { i: C, a: '{"a":' },
    ]);
  });

  test("gives those who have been here what is of their time or later, and all that is open", () => {
    const sender = new TimbalSender();
    sender.set(A, NOON - 1, { n: 1 });
    sender.set(B, NOON, { n: 2 });
    sender.start(C, { type: "agent" });
    expect(sender.prelude("2025-01-15T12:00:00.000Z")).toEqual([
      { i: B, t: "2025-01-15T12:00:00.000Z", v: { n: 2 } },
      { i: C, m: { type: "agent" } },
    ]);
  });

  test("gives everything to those who name a time that is none", () => {
    const sender = new TimbalSender();
    sender.set(A, NOON, { n: 1 });
    expect(sender.prelude("yesterday")).toEqual([{ i: A, t: "2025-01-15T12:00:00.000Z", v: { n: 1 } }]);
  });
});

const answer: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Weather." },
    { type: "text", text: "Let me see." },
    { type: "toolCall", id: "call_1", name: "get_weather", arguments: { location: "SF" } },
    { type: "image", url: "https://example.com/a.png" },
  ],
  api: "x",
  provider: "y",
  model: "z",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: NOON,
};

describe("an answer", () => {
  test("is one message per block, with what is known first, the text, and the value", () => {
    const frames = new TimbalAnswer(new TimbalSender(), { id: A, now: () => NOON, sender: "bot" });
    const t = "2025-01-15T12:00:00.000Z";
    const [i1, i2, i3] = [A, B, C];
    // Nothing but the mark says that it belongs to the answer.
    const i4 = `${C}DRAG0MAN00000001`;
    expect([...events(answer)].flatMap((event) => frames.push(event))).toEqual([
      { i: i1, m: { type: "thinking", sender: "bot" } },
      { i: i1, a: "Weather." },
      { i: i1, t, v: { type: "thinking", content: "Weather.", sender: "bot" } },
      { i: i2, m: { type: "agent", sender: "bot" } },
      { i: i2, a: "Let me see." },
      { i: i2, t, v: { type: "agent", content: "Let me see.", sender: "bot" } },
      { i: i3, m: { type: "tool_call", toolCallId: "call_1", name: "get_weather", sender: "bot" } },
      { i: i3, a: '{"location":"SF"}' },
      {
        i: i3,
        t,
        v: {
          type: "tool_call",
          toolCallId: "call_1",
          name: "get_weather",
          arguments: { location: "SF" },
          sender: "bot",
        },
      },
      {
        i: i4,
        t,
        v: {
          type: "x-dragoman-block",
          block: { type: "image", url: "https://example.com/a.png" },
          sender: "bot",
        },
      },
    ]);
  });

  test("that breaks off completes what it had begun, and takes back what is not in it", () => {
    const frames = new TimbalAnswer(new TimbalSender(), { id: A, now: () => NOON });
    const partial = { ...answer, content: [] };
    frames.push({ type: "start", partial });
    frames.push({ type: "text_start", contentIndex: 0 });
    frames.push({ type: "text_delta", contentIndex: 0, delta: "Let" });
    frames.push({ type: "toolcall_start", contentIndex: 1 });
    const error = { ...answer, content: [{ type: "text" as const, text: "Let" }] };
    expect(frames.push({ type: "error", reason: "aborted", error })).toEqual([
      { i: A, t: "2025-01-15T12:00:00.000Z", v: { type: "agent", content: "Let" } },
      { i: B, v: null },
    ]);
  });

  test("that was not streamed arrives whole", () => {
    const frames = new TimbalAnswer(new TimbalSender(), { id: A, now: () => NOON });
    const message = { ...answer, content: [{ type: "text" as const, text: "Hi" }] };
    expect(frames.push({ type: "start", partial: { ...answer, content: [] } })).toEqual([]);
    expect(frames.push({ type: "done", reason: "stop", message })).toEqual([
      { i: A, t: "2025-01-15T12:00:00.000Z", v: { type: "agent", content: "Hi" } },
    ]);
  });
});

test("whoever joins an answer, at any moment, sees what everybody sees", () => {
  let inTheMiddle = 0;
  fc.assert(
    fc.property(assistantMessage, fc.nat(), (message, moment) => {
      const sender = new TimbalSender();
      const frames = new TimbalAnswer(sender, { id: A, now: () => NOON });
      const all = [...events(message, (text) => text.match(/.{1,3}/gsu) ?? [])];
      const join = moment % (all.length + 1);
      const [early, late] = [new TimbalReceiver(), new TimbalReceiver()];
      for (const event of all.slice(0, join)) for (const frame of frames.push(event)) early.receive(frame);
      for (const frame of sender.prelude()) late.receive(JSON.parse(JSON.stringify(frame)));
      expect(seen(late)).toEqual(seen(early));
      if (sender.messages.some(({ state }) => state === "streaming")) inTheMiddle++;
      for (const event of all.slice(join)) {
        for (const frame of frames.push(event)) {
          early.receive(frame);
          late.receive(frame);
        }
      }
      expect(seen(late)).toEqual(seen(early));
      expect(late.messages().every(({ state }) => state === "complete")).toBe(true);
      if (message.content.length === 0) return;
      const { ext: _, ...plain } = message;
      const stored = timbal.encode([{ ...plain, id: A }]);
      expect(late.messages().map(({ i }) => i)).toEqual(stored.map(({ i }) => i));
    }),
    { numRuns: 300 },
  );
  expect(inTheMiddle).toBeGreaterThan(80);
});

test("a record streamed live amounts to the record", () => {
  const cut = (text: string) => text.match(/.{1,4}/gsu) ?? [];
  const record = {
    s: "x",
    i: A,
    t: "2025-01-15T12:00:00.000Z",
    v: { type: "agent", content: "It's sunny", sender: "bot" },
  };
  expect(timbal.live?.(record, cut)).toEqual([
    { s: "x", i: A, m: { type: "agent", sender: "bot" } },
    { s: "x", i: A, a: "It's" },
    { s: "x", i: A, a: " sun" },
    { s: "x", i: A, a: "ny" },
    record,
  ]);
  const call = { i: A, v: { type: "tool_call", toolCallId: "c", name: "n", arguments: { a: 1 } } };
  expect(timbal.live?.(call, cut)).toEqual([
    { i: A, m: { type: "tool_call", toolCallId: "c", name: "n" } },
    { i: A, a: '{"a"' },
    { i: A, a: ":1}" },
    call,
  ]);
  const user = { i: A, v: { type: "user", content: "Hi" } };
  expect(timbal.live?.(user, cut)).toEqual([user]);
});
