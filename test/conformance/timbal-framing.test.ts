import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TimbalReceiver } from "../../src/dialects/timbal/index.js";
import { LineSplitter } from "../../src/framing/lines.js";
import { bytesOf, cutAt, positionsWithin } from "../generate/chunks.js";

const A = "01JHN5Y1J0A7Q3ZK5T9V2XWB4C";
const B = "01JHN5Y1R8M2D6F8H1J3K5N7P9";
const C = "01JHN5Y2H8B3C5D7E9F1G3H5J7";
const T = "2025-01-15T14:30:00.000Z";

function received(...frames: unknown[]): TimbalReceiver {
  const receiver = new TimbalReceiver();
  for (const frame of frames) receiver.receive(frame);
  return receiver;
}

/** What a reader sees of a stream. */
function seen(receiver: TimbalReceiver, stream?: string): unknown[] {
  return receiver.messages(stream).map(({ i, t, value, state }) => [i, state, value, t]);
}

describe("a start frame", () => {
  test("with m makes the value {...m, content} at once, also when it is empty", () => {
    const receiver = received({ i: A, m: { type: "agent", sender: "bot" } });
    expect(seen(receiver)).toEqual([
      [A, "streaming", { type: "agent", sender: "bot", content: "" }, undefined],
    ]);
  });

  test("without m streams an object: the value is null until something is certain", () => {
    expect(seen(received({ i: A }))).toEqual([[A, "streaming", null, undefined]]);
  });

  test("for a message that streams resets it", () => {
    const receiver = received(
      { i: A, m: { type: "agent" } },
      { i: A, a: "old" },
      { i: A, m: { type: "thinking" } },
    );
    expect(seen(receiver)).toEqual([[A, "streaming", { type: "thinking", content: "" }, undefined]]);
  });

  test("for a complete message resets it, and it can be appended to again", () => {
    const receiver = received(
      { i: A, t: T, v: { type: "x" } },
      { i: A, m: { type: "agent" } },
      { i: A, a: "new" },
    );
    expect(seen(receiver)).toEqual([[A, "streaming", { type: "agent", content: "new" }, undefined]]);
  });

  test("can turn a text into an object and back", () => {
    const receiver = received(
      { i: A, m: { type: "agent" } },
      { i: A, a: "x" },
      { i: A },
      { i: A, a: '{"n":1' },
    );
    expect(seen(receiver)).toEqual([[A, "streaming", {}, undefined]]);
    receiver.receive({ i: A, m: {} });
    expect(seen(receiver)).toEqual([[A, "streaming", { content: "" }, undefined]]);
  });

  test("does not keep hold of the frame: later text does not show in it", () => {
    const frame = { i: A, m: { type: "agent" } };
    received(frame, { i: A, a: "text" });
    expect(frame).toEqual({ i: A, m: { type: "agent" } });
  });
});

describe("an append frame", () => {
  test("adds to the content in text mode", () => {
    const receiver = received(
      { i: A, m: { type: "agent" } },
      { i: A, a: "Hello" },
      { i: A, a: "" },
      { i: A, a: " w" },
    );
    expect(seen(receiver)).toEqual([[A, "streaming", { type: "agent", content: "Hello w" }, undefined]]);
  });

  test("adds to the JSON in object mode, and the value is its partial parse", () => {
    const receiver = received({ i: A }, { i: A, a: '{"status":"proc' });
    expect(seen(receiver)).toEqual([[A, "streaming", { status: "proc" }, undefined]]);
    receiver.receive({ i: A, a: 'essing","progress":5' });
    receiver.receive({ i: A, a: "0}" });
    expect(seen(receiver)).toEqual([[A, "streaming", { status: "processing", progress: 50 }, undefined]]);
  });

  test("that breaks the JSON leaves the last good value", () => {
    const receiver = received({ i: A }, { i: A, a: '{"a":1,' }, { i: A, a: "oops" });
    expect(seen(receiver)).toEqual([[A, "streaming", { a: 1 }, undefined]]);
  });

  test("before the start is ignored", () => {
    const receiver = received({ i: A, a: "lost" }, { i: A, m: { type: "agent" } }, { i: A, a: "kept" });
    expect(seen(receiver)).toEqual([[A, "streaming", { type: "agent", content: "kept" }, undefined]]);
    expect([...receiver.ignored]).toEqual([["it appends to a message that was not started", 1]]);
  });

  test("after the set is ignored", () => {
    const receiver = received({ i: A, t: T, v: { type: "agent", content: "all" } }, { i: A, a: "more" });
    expect(seen(receiver)).toEqual([[A, "complete", { type: "agent", content: "all" }, T]]);
    expect([...receiver.ignored]).toEqual([["it appends to a message that is complete", 1]]);
  });

  test("after a deletion is ignored", () => {
    const receiver = received({ i: A, m: {} }, { i: A, v: null }, { i: A, a: "more" });
    expect(seen(receiver)).toEqual([]);
    expect([...receiver.ignored]).toEqual([["it appends to a message that was not started", 1]]);
  });
});

describe("a set frame", () => {
  test("replaces the value and completes the message", () => {
    const receiver = received(
      { i: A, m: { type: "agent" } },
      { i: A, a: "Helo" },
      { i: A, t: T, v: { type: "agent", content: "Hello" } },
    );
    expect(seen(receiver)).toEqual([[A, "complete", { type: "agent", content: "Hello" }, T]]);
  });

  test("needs no start", () => {
    expect(seen(received({ i: A, t: T, v: { any: 1 } }))).toEqual([[A, "complete", { any: 1 }, T]]);
  });

  test("replaces an earlier one", () => {
    const later = "2025-01-15T14:30:09.000Z";
    const receiver = received({ i: A, t: T, v: { n: 1 } }, { i: A, t: later, v: { n: 2 } });
    expect(seen(receiver)).toEqual([[A, "complete", { n: 2 }, later]]);
  });

  test("without a time is taken too", () => {
    expect(seen(received({ i: A, v: { n: 1 } }))).toEqual([[A, "complete", { n: 1 }, undefined]]);
  });

  test("keeps the fields that nobody knows", () => {
    const receiver = received({ i: A, t: T, v: { n: 1 }, seq: 7 });
    expect(receiver.messages()[0]?.frame).toEqual({ i: A, t: T, v: { n: 1 }, seq: 7 });
  });

  test("with null deletes the message", () => {
    expect(seen(received({ i: A, t: T, v: {} }, { i: B, t: T, v: {} }, { i: A, v: null }))).toEqual([
      [B, "complete", {}, T],
    ]);
  });

  test("with null frees the id for another message", () => {
    const receiver = received({ i: A, t: T, v: { n: 1 } }, { i: A, v: null }, { i: A, m: { n: 2 } });
    expect(seen(receiver)).toEqual([[A, "streaming", { n: 2, content: "" }, undefined]]);
  });

  test("with null for a message that is not there does nothing", () => {
    const receiver = received({ i: B, t: T, v: {} }, { i: A, v: null });
    expect(seen(receiver)).toEqual([[B, "complete", {}, T]]);
    expect([...receiver.ignored]).toEqual([["it deletes a message that does not exist", 1]]);
  });
});

describe("a frame is ignored", () => {
  test.each([
    ["it is not an object", null],
    ["it is not an object", [{ i: A, t: T, v: {} }]],
    ["it is not an object", "text"],
    ["it has both i and c", { i: A, c: "error", code: "x" }],
    ["it has both i and c", { i: null, c: null }],
    ["it has neither i nor c", {}],
    ["it has neither i nor c", { request: "sync" }],
    ["i is not a string", { i: 5, t: T, v: {} }],
    ["i is not a string", { i: null, m: {} }],
    ["a is not a string", { i: A, a: 5 }],
    ["a is not a string", { i: A, a: null }],
    ["it has both a and v", { i: A, a: "x", v: {} }],
    ["it has both a and v", { i: A, a: "x", v: null }],
    ["v is neither an object nor null", { i: A, t: T, v: "text" }],
    ["v is neither an object nor null", { i: A, t: T, v: [] }],
    ["v is neither an object nor null", { i: A, t: T, v: false }],
    ["m is not an object", { i: A, m: null }],
    ["m is not an object", { i: A, m: [] }],
    ["m is not an object", { i: A, m: "agent" }],
    ["m contains content", { i: A, m: { type: "agent", content: "" } }],
    ["s is not a string", { i: A, s: 1, t: T, v: {} }],
    ["c is not a string", { c: 5 }],
    ["its control type is unknown", { c: "sync" }],
    ["it is an error without a code", { c: "error" }],
  ])("%s: %j", (why, frame) => {
    const receiver = received({ i: A, m: { type: "agent" } }, { i: A, a: "before" });
    expect(receiver.receive(frame)).toEqual({ kind: "ignored", why });
    expect([...receiver.ignored]).toEqual([[why, 1]]);
    expect(seen(receiver)).toEqual([[A, "streaming", { type: "agent", content: "before" }, undefined]]);
  });

  test("it is a line that is not JSON", () => {
    const receiver = new TimbalReceiver();
    expect(receiver.receiveLine('{"i":')).toEqual({ kind: "ignored", why: "it is not JSON" });
    expect(receiver.receiveLine("")).toEqual({ kind: "ignored", why: "it is not JSON" });
    expect([...receiver.ignored]).toEqual([["it is not JSON", 2]]);
  });
});

test("unknown fields are ignored on every kind of frame", () => {
  const receiver = received({ i: A, m: { type: "agent" }, x: 1 }, { i: A, a: "text", x: 2, t: T });
  expect(seen(receiver)).toEqual([[A, "streaming", { type: "agent", content: "text" }, undefined]]);
});

describe("a control frame", () => {
  test("error is handed on and changes nothing", () => {
    const changes: unknown[] = [];
    const receiver = new TimbalReceiver({ onChange: (change) => changes.push(change) });
    receiver.receive({ c: "error", code: "rate_limited", message: "Too many requests", s: "general" });
    receiver.receive({ c: "error", code: "server_error" });
    expect(changes).toEqual([
      { kind: "error", stream: "general", code: "rate_limited", message: "Too many requests" },
      { kind: "error", stream: undefined, code: "server_error", message: undefined },
    ]);
    expect(receiver.streams()).toEqual([]);
  });
});

describe("an object whose text is something else", () => {
  test.each(["[1,2]", '"text"', "12", " true", "null", "\n["])("is invalid: %j", (text) => {
    expect(seen(received({ i: A }, { i: A, a: text }))).toEqual([[A, "invalid", null, undefined]]);
  });

  test("is valid once it is set", () => {
    expect(seen(received({ i: A }, { i: A, a: "[1]" }, { i: A, t: T, v: { n: 1 } }))).toEqual([
      [A, "complete", { n: 1 }, T],
    ]);
  });

  test("is valid again once it is started again", () => {
    expect(seen(received({ i: A }, { i: A, a: "[1]" }, { i: A }))).toEqual([
      [A, "streaming", null, undefined],
    ]);
  });
});

describe("the order", () => {
  test("is the lexical order of i, whatever the order of arrival", () => {
    const receiver = received(
      { i: C, t: T, v: {} },
      { i: A, m: {} },
      { i: B, t: T, v: {} },
      { i: A, a: "x" },
    );
    expect(receiver.messages().map(({ i }) => i)).toEqual([A, B, C]);
  });

  test("is kept while messages come and go between two looks", () => {
    const receiver = received({ i: B, v: {} });
    const ids = () => receiver.messages().map(({ i }) => i);
    expect(ids()).toEqual([B]);
    receiver.receive({ i: C, v: {} });
    expect(ids()).toEqual([B, C]);
    receiver.receive({ i: A, v: {} });
    expect(ids()).toEqual([A, B, C]);
    receiver.receive({ i: C, v: null });
    expect(ids()).toEqual([A, B]);
    receiver.receive({ i: A, v: null });
    receiver.receive({ i: C, v: {} });
    expect(ids()).toEqual([B, C]);
  });

  test("is told with every message that comes or goes", () => {
    const places: unknown[] = [];
    const receiver = new TimbalReceiver({
      onChange: (change) => places.push("index" in change ? [change.kind, change.index] : change.kind),
    });
    for (const frame of [
      { i: C, m: {} },
      { i: A, v: {} },
      { i: B, m: {} },
      { i: B, a: "" },
      { i: B, v: {} },
      { i: A, v: null },
    ]) {
      receiver.receive(frame);
    }
    expect(places).toEqual([
      ["started", 0],
      ["completed", 0],
      ["started", 1],
      "appended",
      ["completed", 1],
      ["removed", 0],
    ]);
  });

  test("a message is one object from its first frame to its last", () => {
    const receiver = new TimbalReceiver();
    const started = receiver.receive({ i: A, m: {} });
    const appended = receiver.receive({ i: A, a: "x" });
    const completed = receiver.receive({ i: A, t: T, v: {} });
    expect(started).toMatchObject({ kind: "started", isNew: true, stream: undefined });
    expect(appended).toMatchObject({ kind: "appended", text: "x" });
    expect(completed).toMatchObject({ kind: "completed", isNew: false });
    const messages = [started, appended, completed].map((change) => "message" in change && change.message);
    expect(new Set([...messages, receiver.messages()[0]]).size).toBe(1);
  });
});

describe("streams", () => {
  test("share no state: the same id is another message in each", () => {
    const receiver = received(
      { s: "b", i: A, m: { type: "agent" } },
      { s: "a", i: A, a: "not started here" },
      { s: "b", i: A, a: "text" },
      { s: "a", i: A, t: T, v: { n: 1 } },
    );
    expect(receiver.streams()).toEqual(["a", "b"]);
    expect(seen(receiver, "a")).toEqual([[A, "complete", { n: 1 }, T]]);
    expect(seen(receiver, "b")).toEqual([[A, "streaming", { type: "agent", content: "text" }, undefined]]);
    expect(seen(receiver)).toEqual([]);
  });

  test("once multiplexed, a frame without s is ignored and counted", () => {
    const receiver = received({ s: "a", i: A, m: {} }, { i: A, a: "x" }, { i: B, t: T, v: {} });
    expect([...receiver.ignored]).toEqual([["s is missing on a multiplexed connection", 2]]);
    expect(receiver.streams()).toEqual(["a"]);
  });

  test("once not multiplexed, a frame with s is ignored and counted", () => {
    const receiver = received({ i: A, m: {} }, { s: "a", i: A, a: "x" });
    expect([...receiver.ignored]).toEqual([["s is given, but the connection is not multiplexed", 1]]);
    expect(seen(receiver)).toEqual([[A, "streaming", { content: "" }, undefined]]);
  });

  test("an s on a control frame does not make the connection multiplexed", () => {
    const receiver = received({ c: "error", code: "invalid_stream", s: "a" }, { i: A, t: T, v: {} });
    expect(seen(receiver)).toEqual([[A, "complete", {}, T]]);
  });
});

const frame = fc.oneof(
  fc.record({ i: fc.constantFrom(A, B, C), m: fc.record({ type: fc.constantFrom("agent", "thinking") }) }),
  fc.record({ i: fc.constantFrom(A, B, C) }),
  fc.record({ i: fc.constantFrom(A, B, C), a: fc.constantFrom("x", "{", '"é"', ":", "1", "}", "😀\n") }),
  fc.record({ i: fc.constantFrom(A, B, C), t: fc.constant(T), v: fc.dictionary(fc.string(), fc.nat()) }),
  fc.record({ i: fc.constantFrom(A, B, C), v: fc.constant(null) }),
  fc.jsonValue(),
);

test("complete messages give the same transcript in any order, with any repetition", () => {
  let shuffled = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{3}$/), { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      (ids, random) => {
        const frames = ids.map((i, n) => ({ i, t: T, v: { n } }));
        const again = frames.flatMap((one) =>
          Array.from({ length: 1 + (random.next().value % 3) }, () => one),
        );
        const mixed = again
          .map((one) => ({ one, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(seen(received(...mixed))).toEqual(seen(received(...frames)));
        expect(
          received(...mixed)
            .messages()
            .map(({ i }) => i),
        ).toEqual([...ids].sort());
        if (mixed.some((one, at) => one.i !== frames[at]?.i)) shuffled++;
      },
    ),
    { numRuns: 300 },
  );
  expect(shuffled).toBeGreaterThan(150);
});

test("where the bytes are cut changes nothing", () => {
  let cuts = 0;
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 20 }), fc.array(fc.nat()), (frames, positions) => {
      const bytes = bytesOf(frames.map((one) => `${JSON.stringify(one)}\n`).join(""));
      const chunks = cutAt(bytes, positionsWithin(bytes, positions));
      const splitter = new LineSplitter();
      const receiver = new TimbalReceiver();
      for (const line of [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.finish()]) {
        receiver.receiveLine(new TextDecoder().decode(line.bytes));
      }
      expect(seen(receiver)).toEqual(seen(received(...frames.map((one) => JSON.parse(JSON.stringify(one))))));
      if (chunks.length > 2) cuts++;
    }),
    { numRuns: 200 },
  );
  expect(cuts).toBeGreaterThan(100);
});
