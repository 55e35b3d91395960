import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../../core/error.js";
import type { AgentMessage } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { openclawTurns } from "./index.js";

const { decode, encode, joins } = openclawTurns;
const timestamp = 1740000000000;
const call = (id: string) => ({ type: "toolCall", id, name: "read", arguments: {} }) as const;
const answer: AgentMessage = {
  role: "assistant",
  content: [],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: {
    input: 1,
    output: 2,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 3,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp,
};

describe("what is written", () => {
  test("a call for each turn, what the message says only in the first", () => {
    const content = [
      { type: "thinking", thinking: "Hm." } as const,
      call("a"),
      call("b"),
      { type: "text", text: "?" } as const,
    ];
    const { api, provider, model, usage, stopReason } = answer;
    expect(encode([{ ...answer, content }])).toEqual([
      {
        role: "assistant",
        content: [],
        timestamp,
        toolCall: { id: "a", name: "read", arguments: {} },
        metadata: {
          api,
          provider,
          model,
          usage,
          stopReason,
          reasoning: "Hm.",
          dragoman: { part: 1, parts: 3 },
        },
      },
      {
        role: "assistant",
        content: [],
        timestamp,
        toolCall: { id: "b", name: "read", arguments: {} },
        metadata: { dragoman: { part: 2, parts: 3 } },
      },
      {
        role: "assistant",
        content: [{ type: "text", text: "?" }],
        timestamp,
        metadata: { dragoman: { part: 3, parts: 3 } },
      },
    ]);
  });

  test("nothing that nobody said", () => {
    const usage = { ...answer.usage, input: 0, output: 0, totalTokens: 0 };
    const ext = { synthesised: ["/api", "/usage", "/timestamp"] };
    expect(encode([{ ...answer, api: "", usage, timestamp: 0, ext }])).toEqual([
      {
        role: "assistant",
        content: [],
        metadata: { provider: "anthropic", model: "claude-opus-4-6", stopReason: "toolUse" },
      },
    ]);
  });

  test("a result with its text in both places", () => {
    const result: AgentMessage = {
      role: "toolResult",
      toolCallId: "a",
      toolName: "read",
      content: [
        { type: "text", text: "one" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "text", text: "two" },
      ],
      isError: true,
      timestamp,
    };
    expect(encode([result])).toEqual([
      {
        role: "tool",
        content: [
          { type: "text", text: "one" },
          { type: "image", source: { type: "url", url: "data:image/png;base64,AAAA" } },
          { type: "text", text: "two" },
        ],
        timestamp,
        toolResult: { toolCallId: "a", error: "one\ntwo" },
        metadata: { toolName: "read" },
      },
    ]);
  });
});

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 12, 1700000000, 1.5e12, "", "text", [], {}),
  fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value))),
);

/** An object of some of these fields, each now and then with something else in it. */
function sketch(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(fields).map(([key, value]) =>
    fc.oneof(
      { weight: 6, arbitrary: value.map((one) => [[key, one]]) },
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: junk.map((one) => [[key, one]]) },
    ),
  );
  return fc
    .tuple(fc.tuple(...members), fc.option(fc.tuple(fc.constantFrom("__proto__", "x", "absent"), junk)))
    .map(([pairs, other]) => Object.fromEntries([...pairs.flat(), ...(other === null ? [] : [other])]));
}

const short = fc.constantFrom("", "a", "b c", "\n\n");
const url = fc.constantFrom("https://a.test/x", "data:image/png;base64,AAAA", "data:,x", "data:;base64,");
const block = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("text"), text: short }) },
  sketch({ type: fc.constantFrom("text", "image", "audio", "file", "opaque"), text: short, name: short }),
  fc.record({
    type: fc.constantFrom("image", "audio"),
    source: fc.record({ type: fc.constant("url"), url }),
  }),
);
const extra = sketch({ textSignature: short, name: short, ext: sketch({ pi: junk }), type: short });
const marks = sketch({
  part: fc.constantFrom(1, 2),
  parts: fc.constantFrom(1, 2),
  string: fc.constant(true),
  milliseconds: fc.constant(true),
  thinking: fc.array(sketch({ length: fc.nat(4), thinkingSignature: short }), { maxLength: 2 }),
  blocks: sketch({ "0": extra, "1": extra }),
  toolCall: sketch({ thoughtSignature: short, id: short }),
  fields: sketch({ platform: junk, id: junk }),
  message: sketch({ role: fc.constantFrom("status", "note", "error"), state: short, content: short }),
  text: fc.constantFrom("content", "state", "role"),
});
const turn = sketch({
  role: fc.constantFrom("user", "assistant", "tool", "system", "assistant", "note"),
  content: fc.oneof({ weight: 5, arbitrary: fc.array(block, { maxLength: 3 }) }, short),
  timestamp: fc.constantFrom(1700000000, 1700000000.123, 1740000000000),
  toolCall: sketch({ id: short, name: short, arguments: fc.constant({ a: 1 }) }),
  toolResult: sketch({ toolCallId: short, output: short, error: short, isPending: fc.boolean() }),
  metadata: sketch({
    id: short,
    sender: short,
    api: short,
    usage: fc.constant(answer.usage),
    stopReason: fc.constantFrom("stop", "end_turn"),
    reasoning: short,
    toolName: short,
    details: junk,
    ext: sketch({ pi: junk, synthesised: fc.subarray(["/api", "/usage", "/content", "/x"]) }),
    dragoman: marks,
  }),
  _compacted: fc.boolean(),
});

describe("turns of any kind", () => {
  test("come back as they were, or are refused with a place", () => {
    const seen = { read: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 3 }), (unit) => {
        let messages: AgentMessage[];
        try {
          messages = decode(unit).map(({ message }) => message);
        } catch (error) {
          expect(error).toBeInstanceOf(DragomanError);
          expect(error).toHaveProperty("at");
          seen.refused++;
          return;
        }
        expect(messages.every((message) => is("AgentMessage", message))).toBe(true);
        expect(encode(messages)).toEqual(unit);
        seen.read++;
      }),
      { numRuns: 3000 },
    );
    expect(seen.read).toBeGreaterThan(500);
    expect(seen.refused).toBeGreaterThan(100);
  });

  test("parts are joined only with their like", () => {
    const part = (of: number, time = timestamp) => ({
      timestamp: time,
      metadata: { dragoman: { part: of, parts: 3 } },
    });
    expect(joins(part(1), part(2), part(1))).toBe(true);
    expect(joins(part(1), part(3), part(1))).toBe(false);
    expect(joins(part(1), part(2, timestamp + 1), part(1))).toBe(false);
    expect(joins({}, part(1), {})).toBe(false);
  });
});

const bytes = fc.oneof(
  fc.record({ data: fc.constantFrom("", "AAAA"), mimeType: fc.constantFrom("image/png", "audio/ogg; x=1") }),
  fc.record({ url: fc.constantFrom("https://a.test/x", "data:,x") }),
  fc.record({ url: fc.constant("file:x"), mimeType: short, name: short }),
);
const ext = fc.constantFrom({}, { ext: { pi: { a: [1] } } }, { ext: { "openclaw-turns": { lang: "en" } } });
const media = fc
  .tuple(fc.constantFrom("image", "audio", "file"), bytes, fc.constantFrom({}, { ext: { pi: 1 } }))
  .map(([type, where, more]) => ({ type, ...where, ...more }));
const textual = fc
  .tuple(short, ext, fc.constantFrom({}, { textSignature: "s" }, { citations: [1] }))
  .map(([text, other, more]) => ({ type: "text", text, ...other, ...more }));
const opaque = fc.record({
  type: fc.constant("opaque"),
  dialect: fc.constantFrom("openclaw-turns", "anthropic"),
  value: fc.oneof(junk, fc.constantFrom({ type: "text", text: "x" }, { type: "text" }, { type: "video" })),
});
const userContent = fc.array(fc.oneof(textual, media, opaque), { maxLength: 4 });
const thinking = fc
  .tuple(short, fc.constantFrom({}, { thinkingSignature: "s" }, { redacted: true, ext: { pi: 1 } }))
  .map(([text, more]) => ({ type: "thinking", thinking: text, ...more }));
const calls = fc
  .tuple(short, fc.constantFrom({}, { thoughtSignature: "s" }, { argumentsError: "cut", ext: { pi: 1 } }))
  .map(([id, more]) => ({ ...call(id), ...more }));
const noUsage = { ...answer.usage, input: 0, output: 0, totalTokens: 0 };
const time = fc.constantFrom(0, 12, 1700000000, timestamp);
const anyMessage = fc
  .tuple(
    fc.oneof(
      fc.record({
        role: fc.constantFrom("user", "system"),
        content: fc.oneof(short, userContent),
        timestamp: time,
      }),
      fc.record({
        role: fc.constant("assistant"),
        content: fc.array(fc.oneof(textual, media, opaque, thinking, calls), { maxLength: 6 }),
        api: fc.constantFrom("", "x"),
        provider: short,
        model: short,
        usage: fc.constantFrom(noUsage, answer.usage),
        stopReason: fc.constantFrom("stop", "length"),
        timestamp: time,
      }),
      fc.record({
        role: fc.constant("toolResult"),
        toolCallId: short,
        toolName: short,
        content: userContent,
        isError: fc.boolean(),
        details: junk,
        timestamp: time,
      }),
      fc.record({ role: fc.constant("custom"), customType: short, data: junk, timestamp: time }),
      fc.record({ role: fc.constant("compaction"), summary: short, details: junk, timestamp: time }),
      fc.record({ role: fc.constantFrom("note", "__proto__", "tool"), id: junk, timestamp: time }),
    ),
    fc.constantFrom({}, { id: "m1" }, { parentId: null, sender: "bob" }, { platform: 1, "": 2 }),
    fc.oneof(
      fc.constantFrom({}, { ext: { pi: 1 } }, { ext: { "openclaw-turns": { turn: { futureUrls: ["x"] } } } }),
      fc
        .shuffledSubarray(["/api", "/usage", "/usage/input", "/timestamp", "/toolCallId", "/content"])
        .map((synthesised) => ({ ext: { pi: 1, synthesised } })),
    ),
  )
  .map((parts): unknown => Object.assign({}, ...parts));

test("messages of any kind come back as they were, but for those that no model is shown", () => {
  let seen = 0;
  let silent = 0;
  fc.assert(
    fc.property(anyMessage, (message) => {
      if (!is("AgentMessage", message)) return;
      const turns = JSON.parse(JSON.stringify(encode([message])));
      seen++;
      if (turns.length === 0) {
        expect(["session", "status", "error", "custom"]).toContain(message.role);
        silent++;
      } else expect(decode(turns).map((one) => one.message)).toEqual([message]);
    }),
    { numRuns: 3000 },
  );
  expect(seen).toBeGreaterThan(2000);
  expect(silent).toBeGreaterThan(100);
});

test.each([
  ["nothing", { role: "tool", content: [] }],
  ["null", { role: "tool", content: [], toolResult: null }],
  ["something else", { role: "tool", content: [], toolResult: { toolCallId: [], isPending: true } }],
])("a result that said %s in the place of its call says it once the message does", (_, turn) => {
  const [decoded] = decode([turn]);
  if (decoded?.message.role !== "toolResult") throw new Error("a tool turn is a result");
  expect(encode([decoded.message])).toEqual([turn]);
  const { ext, ...message } = decoded.message;
  const claimed = { ...message, toolCallId: "c1", ext: { ...ext, synthesised: ["/toolName", "/timestamp"] } };
  expect(encode([claimed])[0]?.["toolResult"]).toMatchObject({ toolCallId: "c1" });
});

test("a time long before 1970 is in milliseconds", () => {
  const turn = { role: "user", content: [], timestamp: -1e308 };
  expect(decode([turn])[0]?.message.timestamp).toBe(-1e308);
});

test("a message of somebody's own with a time beyond all times can be written and read", () => {
  const message: AgentMessage = JSON.parse('{"role":"note","timestamp":1e999}');
  expect(decode(encode([message])).map((decoded) => decoded.message)).toEqual([message]);
});
