import { describe, expect, test } from "vitest";
import { bytesOf } from "../../test/generate/chunks.js";
import { check } from "./check.js";
import { convert, convertStream } from "./convert.js";
import { detect, detectOne, load } from "./detect.js";

const line = (message: object) => `${JSON.stringify(message)}\n`;
const question = { role: "user", content: "Hi", timestamp: 1_740_000_000_000 };

describe("places", () => {
  test("what a repeated key said first is a loss", async () => {
    const source = '{"role":"user","content":"first","content":"b","timestamp":1740000000000}\n';
    const { losses } = await convert(source, { from: "openclaw", to: "openclaw" });
    expect(losses).toEqual([
      {
        at: "/0",
        what: 'the earlier value of "content"',
        why: "the key is repeated; the last one is used",
        severity: "dropped",
      },
    ]);
  });

  test("a bad line is named with its line and column", async () => {
    const text = `${line(question)}\n${line({ ...question, content: 7 })}`;
    await expect(convert(text, { from: "openclaw", to: "openclaw" })).rejects.toMatchObject({
      code: "model/invalid",
      at: "/1/content",
      line: 3,
      column: 26,
      message: "expected string or array, found 7",
    });
  });

  test("a number that a double cannot hold is a loss", async () => {
    const text = '{"role":"user","content":"Hi","timestamp":1740000000000,"chat":12345678901234567890}\n';
    const { losses } = await convert(text, { from: "openclaw", to: "openclaw" });
    expect(losses).toEqual([
      {
        at: "/0",
        what: "the number 12345678901234567890",
        why: "it is stored as the double 12345678901234567000",
        severity: "approximated",
      },
    ]);
  });
});

test("a stream gives bytes as they come, and at its end the number of messages", async () => {
  const openclaw = await load("openclaw");
  const lines = ["Grüße", "😀"].map((content) => line({ ...question, content }));
  const open = async function* () {
    for (const text of lines) yield bytesOf(text);
  };
  const stream = convertStream(open, { from: openclaw, to: openclaw });
  let output = "";
  let next = await stream.next();
  for (; next.done !== true; next = await stream.next()) output += new TextDecoder().decode(next.value);
  expect(output).toBe(lines.join(""));
  expect(next.value).toBe(2);
});

describe("neutral values", () => {
  const turns = line({ role: "user", content: [{ type: "text", text: "Hi" }] });
  const why = "openclaw requires it, so a neutral value was written";

  test.each([false, true])(
    "are named once where they are written, and nowhere else (escrow: %s)",
    async (escrow) => {
      const there = await convert(turns, { from: "openclaw-turns", to: "openclaw", escrow });
      expect(there.losses).toEqual([{ at: "/0", what: "timestamp", why, severity: "synthesised" }]);
      const back = await convert(there.output, { from: "openclaw", to: "openclaw-turns", escrow });
      expect(back).toEqual({ output: turns, from: "openclaw", losses: [] });
    },
  );

  test("are not named where the target does not say them either", async () => {
    const { losses } = await convert(turns, { from: "openclaw-turns", to: "clawtools" });
    expect(losses).toEqual([]);
  });

  test("are named where the source left the field out and the target has it", async () => {
    const text = line({ role: "user", content: "Hi" });
    const { losses } = await convert(text, { from: "openclaw", to: "pi" });
    expect(losses.map(({ what, severity }) => [what, severity])).toEqual([
      ["a session message", "synthesised"],
      ["timestamp", "synthesised"],
    ]);
  });
});

describe("branches", () => {
  const tree =
    line({ ...question, id: "r", parentId: null }) +
    line({ ...question, content: "one", id: "a", parentId: "r" }) +
    line({ ...question, content: "two", id: "b", parentId: "r" }) +
    line({ ...question, content: "no tree" });

  test("all are kept where the target has them", async () => {
    const { output, losses } = await convert(tree, { from: "openclaw", to: "openclaw" });
    expect(output).toBe(tree);
    expect(losses).toEqual([]);
  });

  test("a leaf chooses one, and the ledger names the rest", async () => {
    const { output, losses } = await convert(tree, { from: "openclaw", to: "openclaw", leaf: "a" });
    expect(output.match(/"content":"[^"]+"/g)).toEqual([
      '"content":"Hi"',
      '"content":"one"',
      '"content":"no tree"',
    ]);
    expect(losses).toEqual([
      {
        at: "/2",
        what: "the user message",
        why: "it is on another branch",
        severity: "dropped",
        of: "message",
      },
    ]);
  });

  test("a leaf that does not exist is an error", async () => {
    await expect(convert(tree, { from: "openclaw", to: "openclaw", leaf: "zz" })).rejects.toMatchObject({
      code: "convert/no-leaf",
    });
  });

  test("a parent that is not there is named, and does not hide what came before", async () => {
    const text =
      line({ ...question, id: "a", parentId: null }) + line({ ...question, id: "b", parentId: "x" });
    const { output, losses } = await convert(text, { from: "openclaw", to: "clawtools" });
    expect(JSON.parse(output)).toHaveLength(2);
    expect(losses[0]).toEqual({
      at: "/1",
      what: 'parentId ("x")',
      why: "no message has this id, so it was linked to the message before it",
      severity: "approximated",
    });
  });

  test("a cycle ends", async () => {
    const cycle =
      line({ ...question, id: "a", parentId: "b" }) + line({ ...question, id: "b", parentId: "a" });
    const { output } = await convert(cycle, { from: "openclaw", to: "openclaw", leaf: "a" });
    expect(output).toBe(cycle);
  });
});

describe("detect", () => {
  test("an empty input is said to be empty", async () => {
    expect(await detect("")).toEqual([]);
    await expect(detectOne(" \n")).rejects.toMatchObject({
      code: "convert/undetected",
      message: "the input is empty",
    });
  });

  test.each([
    ["a string of a byte order mark", "\uFEFF"],
    ["bytes of a byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf)],
    ["blank bytes", Uint8Array.of(0x20, 0x0d, 0x0a)],
  ])("%s is empty", async (_, input) => {
    await expect(detectOne(input)).rejects.toMatchObject({ message: "the input is empty" });
  });

  const entry = { type: "message", id: "b", parentId: null, message: { ...question } };
  const file = { version: 1, updated_at: "2025-01-15T14:30:00.000Z", agent: "lead", sessionId: "s" };
  const messages = [
    { role: "user", content: "Hi" },
    { role: "toolResult", toolCallId: "c", content: "x" },
    { role: "user", content: "Bye" },
  ];
  test.each([
    ["a torn first line", `{"role":"user","con\n${line(question)}`, "openclaw"],
    ["a first line torn before a value", `{"role":\n${line(question)}${line(question)}`, "openclaw"],
    ["words before the lines", `Script started\n\n${line(question)}`, "openclaw"],
    ["a torn header", `{"type":"session","id":"a","versi\n${line(entry)}`, "pi"],
    ["a torn only line", '{"i":"01JHN5Y1J00000000000000001","v":{"type":"user","content":"Hi', "timbal"],
    ["a document that breaks off", JSON.stringify({ ...file, messages }).slice(0, -20), "cline"],
    ["one in several lines", JSON.stringify({ ...file, messages }, null, 2).slice(0, -20), "cline"],
    ["one that breaks", JSON.stringify({ ...file, messages }, null, 2).replace('"Bye"', "Bye"), "cline"],
    ["an array that breaks off", JSON.stringify(messages).slice(0, -25), "clawtools"],
    [
      "an array without its end",
      `[\n${messages.map((one) => JSON.stringify(one)).join(",\n")}\n`,
      "clawtools",
    ],
  ])("%s does not hide what it is", async (_, input, dialect) => {
    expect(await detectOne(input)).toBe(dialect);
  });

  test.each([
    ["more damaged lines than sound ones", `one\ntwo\n${line(question)}`],
    ["an array of nothing", "[oops"],
    ["an array of a part", '[{"role":"us'],
  ])("%s is nothing we know", async (_, input) => {
    expect(await detect(input)).toEqual([]);
  });

  test("what is nothing we know is said to be so", async () => {
    await expect(detectOne("hello")).rejects.toMatchObject({
      code: "convert/undetected",
      message: "the input matches no dialect",
    });
  });
});

test("130,000 messages of one turn are not too many arguments for anything", async () => {
  const answer = '{"role":"assistant","content":[{"type":"text","text":"x"}]}';
  const input = `[{"role":"user","content":"hi"},${Array(130_000).fill(answer).join(",")}]`;
  const { output, from } = await convert(input, { to: "cline" });
  expect(from).toBe("clawtools");
  expect(JSON.parse(output).messages).toHaveLength(130_001);
  expect((await check(input)).problems).toEqual([]);
}, 120_000);

test("an answer that failed before the model had said anything is not sent to an API, and the ledger names it", async () => {
  const failed = {
    role: "assistant",
    content: [],
    api: "",
    provider: "p",
    model: "m",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "error",
    errorMessage: "HTTP 500: down",
    timestamp: 1_740_000_000_001,
  };
  const { output, losses } = await convert(line(question) + line(failed), {
    from: "openclaw",
    to: "anthropic",
  });
  expect(JSON.parse(output).messages).toEqual([{ role: "user", content: "Hi" }]);
  expect(losses.map(({ what, severity }) => [what, severity])).toContainEqual([
    "the assistant message",
    "dropped",
  ]);
});

test.each([
  ["anthropic", [{ content: "Hi" }, { content: [{ type: "text", text: "Bye" }] }]],
  ["openai-chat", [{ content: "Hi" }, { content: "Bye" }]],
  ["openai-responses", [{ content: "Hi" }, { content: [{ text: "Bye" }] }]],
  ["ollama", [{ content: "Hi" }, { content: "Bye" }]],
] as const)(
  "%s: messages of which nothing can be said are left out, each with its reason",
  async (to, sent) => {
    const user = (content: unknown[]) => line({ role: "user", content, timestamp: 1_740_000_000_000 });
    const voice = user([{ type: "audio", data: "T2dnUw==", mimeType: "audio/ogg" }]);
    const source = line(question) + voice + user([]) + user([{ type: "text", text: "Bye" }]);
    const { output, losses } = await convert(source, { from: "openclaw", to });
    const { messages, input } = JSON.parse(output);
    expect(messages ?? input).toMatchObject(sent);
    expect(messages ?? input).toHaveLength(2);
    expect(losses.filter(({ what }) => what === "the user message")).toEqual([
      {
        at: "/1",
        what: "the user message",
        why: `${to} does not accept the audio it consists of`,
        severity: "dropped",
        of: "message",
      },
      {
        at: "/2",
        what: "the user message",
        why: `${to} has no message without content`,
        severity: "dropped",
        of: "message",
      },
    ]);
  },
);

test("a message that Gemini joins to the one before it is changed, not dropped; what is missing of it is", async () => {
  const user = (content: unknown[]) => line({ role: "user", content, timestamp: 1_740_000_000_000 });
  const rest = user([
    { type: "text", text: "Bye" },
    { type: "opaque", dialect: "cline", value: { type: "x" } },
  ]);
  const { output, losses } = await convert(line(question) + rest, { from: "openclaw", to: "google" });
  expect(JSON.parse(output).contents).toEqual([{ role: "user", parts: [{ text: "Hi" }, { text: "Bye" }] }]);
  expect(losses.filter(({ at }) => at.startsWith("/1"))).toEqual([
    {
      at: "/1",
      what: "the user message",
      why: "its content is joined to the user message before it",
      severity: "approximated",
    },
    {
      at: "/1/content/1",
      what: 'content.1 ({"type":"opaque","dialect":"cline","valu…)',
      why: "only cline understands this block",
      severity: "dropped",
      of: "content",
    },
  ]);
});
