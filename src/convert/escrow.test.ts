import { describe, expect, test } from "vitest";
import { check } from "./check.js";
import { convert } from "./convert.js";
import { detect } from "./detect.js";
import { repair } from "./repair.js";

test("a conversation of which the target can say nothing is nothing but escrow there, and comes back", async () => {
  const source = '{"role":"session","agent":"main","timestamp":1740000000000}\n';
  const there = await convert(source, { from: "openclaw", to: "clawtools", escrow: true });
  expect(JSON.parse(there.output)).toEqual([
    {
      "x-dragoman": {
        in: "clawtools",
        span: 1,
        of: [],
        messages: [{ whole: { role: "session", agent: "main", timestamp: 1_740_000_000_000 } }],
      },
    },
  ]);
  expect(there.losses).toEqual([]);
  const back = await convert(there.output, { from: "clawtools", to: "openclaw" });
  expect(back.output).toBe(source);
});

describe("what carries an escrow", () => {
  const source =
    '{"role":"toolResult","toolCallId":"c","toolName":"look","content":[],"isError":false,"timestamp":1740000000000}\n';

  test.each(["clawtools", "timbal", "ollama"] as const)(
    "is known by it, whatever it looks like: %s",
    async (to) => {
      const { output } = await convert(source, { to, escrow: true });
      expect(await detect(output)).toEqual([{ dialect: to, confidence: 1 }]);
      expect(await convert(output, { to: "openclaw" })).toMatchObject({ from: to, output: source });
    },
  );

  test("is not read as if it were in another dialect", async () => {
    const { output } = await convert(source, { to: "ollama", escrow: true });
    await expect(convert(output, { from: "openai-chat", to: "openclaw" })).rejects.toMatchObject({
      code: "convert/bad-escrow",
      message: "the x-dragoman field was written in ollama, but is read as openai-chat",
      hint: "read it with --from ollama, or remove the field to read the records without its data",
    });
  });
});

test.each([
  "openclaw-turns",
  "pi",
  "cline",
  "clawtools",
  "timbal",
  "anthropic",
  "openai-chat",
  "openai-responses",
  "google",
  "ollama",
] as const)("a result with details comes back from %s as the same text", async (to) => {
  const source =
    '{"role":"toolResult","toolCallId":"c","toolName":"look","content":[],"details":{"n":1},"isError":false,"timestamp":1740000000001}\n';
  const { output } = await convert(source, { to, escrow: true });
  expect((await convert(output, { to: "openclaw" })).output).toBe(source);
});

test("without escrow it is an empty document and a loss", async () => {
  const source = '{"role":"session","agent":"main","timestamp":1740000000000}\n';
  const { output, losses } = await convert(source, { from: "openclaw", to: "clawtools" });
  expect(output).toBe("[]\n");
  expect(losses).toEqual([
    {
      at: "/0",
      what: "the session message",
      why: "clawtools messages have no session",
      severity: "dropped",
      of: "message",
    },
  ]);
});

describe("arguments that are written as text come back with their keys in order", () => {
  const called = (id: string, text: string) => ({
    type: "function_call",
    call_id: id,
    name: "read",
    arguments: text,
  });
  /** Chat completions put the text of an answer before its calls, so that each block is a change of another. */
  const request = (first: string, second: string) => ({
    model: "m",
    input: [
      { role: "user", content: "hi" },
      called("c1", first),
      called("c2", second),
      { role: "assistant", content: "Wait." },
    ],
  });
  test.each([
    ["a key more", '{"b":1}', '{"a":2,"b":1}'],
    ["a key less", '{"a":2,"b":1}', '{"b":1}'],
    ["the same keys", '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ["the same keys further in", '{"x":[{"a":1,"b":2}]}', '{"x":[{"b":2,"a":1}]}'],
  ])("%s", async (_, first, second) => {
    const source = request(first, second);
    const there = await convert(JSON.stringify(source), {
      from: "openai-responses",
      to: "openai-chat",
      escrow: true,
    });
    const back = await convert(there.output, { from: "openai-chat", to: "openai-responses", escrow: true });
    expect(JSON.parse(back.output)).toEqual(source);
  });
});

const user = (content: string, escrow?: unknown) =>
  JSON.stringify({
    role: "user",
    content,
    timestamp: 1_740_000_000_000,
    ...(escrow === undefined ? {} : { "x-dragoman": escrow }),
  });
const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const answer = (text: string, call: string, usage: object) =>
  JSON.stringify({
    role: "assistant",
    content: [
      { type: "text", text },
      { type: "toolCall", id: call, name: "look", arguments: {} },
    ],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "m",
    usage,
    stopReason: "toolUse",
    timestamp: 1_740_000_000_000,
  });
const result = (toolCallId: string) =>
  JSON.stringify({
    role: "toolResult",
    toolCallId,
    toolName: "look",
    content: [{ type: "text", text: "seen" }],
    isError: false,
    timestamp: 1_740_000_000_000,
  });
const lines = (...all: string[]) => `${all.join("\n")}\n`;
const refusal = { code: "convert/bad-escrow", at: "/0/x-dragoman", line: 1 };

const own = { in: "openclaw" };
const spoilt: [string, unknown][] = [
  ["more records than there are", { ...own, span: 1e9, of: ["user"], messages: [{ from: 0 }] }],
  ["a span that is no number", { ...own, span: "1", of: ["user"] }],
  ["half a record", { ...own, span: 1.5, of: ["user"] }],
  ["no word on what it was written for", { ...own, span: 1, messages: [] }],
  ["fewer messages than there are", { ...own, span: 1, of: [], messages: [] }],
  ["another role", { ...own, span: 1, of: ["assistant"] }],
  ["unset: a number", { ...own, span: 1, of: ["user"], messages: [{ from: 0, unset: 5 }] }],
  ["unset: an object", { ...own, span: 1, of: ["user"], messages: [{ from: 0, unset: {} }] }],
  ["unset: no pointers", { ...own, span: 1, of: ["user"], messages: [{ from: 0, unset: [3] }] }],
  ["unset: a bad pointer", { ...own, span: 1, of: ["user"], messages: [{ from: 0, unset: ["content"] }] }],
  [
    "unset: what a message needs",
    { ...own, span: 1, of: ["user"], messages: [{ from: 0, unset: ["/content"] }] },
  ],
  ["set: an array", { ...own, span: 1, of: ["user"], messages: [{ from: 0, set: [] }] }],
  ["set: a bad escape", { ...own, span: 1, of: ["user"], messages: [{ from: 0, set: { "/a~2": 1 } }] }],
  ["set: the whole message", { ...own, span: 1, of: ["user"], messages: [{ from: 0, set: { "": 1 } }] }],
  ["set: below nothing", { ...own, span: 1, of: ["user"], messages: [{ from: 0, set: { "/ext/a/b": 1 } }] }],
  ["both from and whole", { ...own, span: 1, of: ["user"], messages: [{ from: 0, whole: null }] }],
  ["neither", { ...own, span: 1, of: ["user"], messages: [{}] }],
  ["a message that is none", { ...own, span: 1, of: ["user"], messages: [{ whole: { role: "user" } }] }],
];

describe("an escrow that is damaged", () => {
  test.each(spoilt)("%s: nothing is converted", async (_, escrow) => {
    const input = lines(user("a", escrow), user("b"));
    await expect(convert(input, { from: "openclaw", to: "openclaw" })).rejects.toMatchObject(refusal);
  });

  test.each(spoilt)("%s: its record is found and set aside, the others are not", async (_, escrow) => {
    const input = lines(user("a", escrow), user("b"), user("c"));
    const { problems } = await check(input, { from: "openclaw" });
    expect(problems).toMatchObject([refusal]);
    const { output, unplaced } = await repair(input, { from: "openclaw" });
    expect(output).toBe(lines(user("b"), user("c")));
    expect(unplaced).toMatchObject([{ line: 1, text: user("a", escrow) }]);
  });

  test("an array does not grow", async () => {
    const block = { type: "text", text: "x" };
    const escrow = {
      ...own,
      span: 1,
      of: ["user"],
      messages: [{ from: 0, set: { "/content/4294967290": block } }],
    };
    const record = { role: "user", content: [block], timestamp: 1_740_000_000_000, "x-dragoman": escrow };
    const converting = convert(lines(JSON.stringify(record)), { from: "openclaw", to: "openclaw" });
    await expect(converting).rejects.toMatchObject(refusal);
  });

  test("a frame that is gone takes no other with it", async () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: free };
    const source = lines(
      user("go"),
      answer("first", "a", usage),
      result("a"),
      answer("second", "b", usage),
      result("b"),
    );
    const { output } = await convert(source, { from: "openclaw", to: "timbal", escrow: true });
    const frames = output.split("\n").filter((line) => line !== "");
    const outcomes = await Promise.all(
      frames.map(async (_, gone) => {
        const rest = lines(...frames.filter((_, at) => at !== gone));
        const back = await convert(rest, { from: "timbal", to: "openclaw" }).catch((error) => error.code);
        return typeof back === "string" ? back : back.output.trimEnd().split("\n").length;
      }),
    );
    // Of five messages: one less, or an answer without its text; and never one without its call.
    expect(outcomes).toEqual([4, 5, "convert/bad-escrow", 4, 5, "convert/bad-escrow", 4]);
  });
});

test("records that a reader takes one by one need no escrow to be read together", async () => {
  const source = '{"version":1,"messages":[{"id":"a","role":"assistant","content":[]}]}';
  const there = await convert(source, { from: "cline", to: "openclaw", escrow: true });
  const back = await convert(there.output, { from: "openclaw", to: "cline", escrow: true });
  expect(JSON.parse(back.output)).toEqual(JSON.parse(source));
});

test("a session that begins later comes back, also where there is one header", async () => {
  const system = '{"role":"system","content":"","timestamp":7}';
  const session = '{"role":"session","timestamp":6}';
  const there = await convert(lines(system, session), { from: "openclaw", to: "cline", escrow: true });
  const back = await convert(there.output, { from: "cline", to: "openclaw", escrow: true });
  expect(back.output).toBe(lines(system, session));
});

test("what a target would have to nest deeper than anybody reads is refused", async () => {
  const deep = "[".repeat(998) + "]".repeat(998);
  const source = `{"role":"user","content":"x","timestamp":5,"odd":${deep}}\n`;
  expect((await convert(source, { from: "openclaw", to: "openclaw" })).output).toBe(source);
  await expect(convert(source, { from: "openclaw", to: "timbal", escrow: true })).rejects.toMatchObject({
    code: "json/too-deep",
  });
});
