import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conversation, transcript } from "../../../test/generate/conversations.js";
import { check } from "../../convert/check.js";
import { convert } from "../../convert/convert.js";
import { detect } from "../../convert/detect.js";

const text = (content: string) => ({ type: "text", content });

async function messagesOf(document: unknown) {
  const { output } = await convert(JSON.stringify(document), { from: "otel", to: "openclaw" });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("what we write", () => {
  // The schemas accept any part as a generic one. Here only a compaction is, which they do not describe yet.
  const schema = (name: string) => {
    const path = fileURLToPath(
      new URL(`../../../conformance/otel/schema/gen-ai-${name}.json`, import.meta.url),
    );
    const read = JSON.parse(readFileSync(path, "utf8"));
    read.$defs.GenericPart.properties.type = { const: "compaction" };
    return new Ajv({ strict: false, formats: { binary: true } }).compile(read);
  };
  const lists = {
    "gen_ai.system_instructions": schema("system-instructions"),
    "gen_ai.input.messages": schema("input-messages"),
    "gen_ai.output.messages": schema("output-messages"),
  };

  test("the schemas refuse a message without parts, and a text without content", () => {
    expect(lists["gen_ai.input.messages"]([{ role: "user", content: "a" }])).toBe(false);
    expect(lists["gen_ai.input.messages"]([{ role: "user", parts: [{ type: "text" }] }])).toBe(false);
  });

  test("an answer in the output has a finish reason, also if it is not known", async () => {
    const input = JSON.stringify([{ role: "assistant", content: [{ type: "text", text: "Hi" }] }]);
    const { output } = await convert(input, { from: "clawtools", to: "otel" });
    const { "gen_ai.output.messages": list, ...others } = JSON.parse(output);
    expect(list).toEqual([{ role: "assistant", parts: [text("Hi")], finish_reason: "unknown" }]);
    expect(others).toEqual({});
    expect(lists["gen_ai.output.messages"](list)).toBe(true);
  });

  test("generated conversations conform to the schemas", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const { output } = await convert(transcript(messages), { from: "openclaw", to: "otel" });
        for (const [key, validate] of Object.entries(lists)) {
          const list = JSON.parse(output)[key];
          if (list === undefined) continue;
          expect(validate(list), JSON.stringify(validate.errors)).toBe(true);
          judged++;
        }
      }),
      { numRuns: 50 },
    );
    expect(judged).toBeGreaterThan(40);
  });
});

test("the last answer is the output, and the attributes are about it", async () => {
  const usage = {
    input: 10,
    output: 2,
    cacheRead: 5,
    cacheWrite: 0,
    totalTokens: 17,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const messages = [
    { role: "session", id: "s-1", agent: "gardener", timestamp: 1 },
    { role: "system", content: "Be brief.", timestamp: 1 },
    { role: "user", content: "Hello", sender: "ada", timestamp: 1 },
    {
      role: "assistant",
      content: [{ type: "text", text: "Hi" }],
      api: "x",
      provider: "acme",
      model: "reed-2",
      usage,
      stopReason: "length",
      timestamp: 1,
    },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { output } = await convert(input, { from: "openclaw", to: "otel" });
  expect(JSON.parse(output)).toEqual({
    "gen_ai.system_instructions": [text("Be brief.")],
    "gen_ai.input.messages": [{ role: "user", parts: [text("Hello")], name: "ada" }],
    "gen_ai.output.messages": [{ role: "assistant", parts: [text("Hi")], finish_reason: "length" }],
    "gen_ai.conversation.id": "s-1",
    "gen_ai.agent.name": "gardener",
    "gen_ai.provider.name": "acme",
    "gen_ai.response.model": "reed-2",
    "gen_ai.response.finish_reasons": ["length"],
    "gen_ai.usage.input_tokens": 15,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.usage.cache_read.input_tokens": 5,
  });
});

test("a JSON response is shown to the model as text", async () => {
  const parts = [{ type: "tool_call_response", id: "a", response: [{ type: "file", path: "x" }] }];
  const [message] = await messagesOf([{ role: "tool", parts }]);
  expect(message.content).toEqual([{ type: "text", text: '[{"type":"file","path":"x"}]' }]);
});

test("arguments can be a JSON text", async () => {
  const parts = [{ type: "tool_call", id: "a", name: "look", arguments: '{"at":"gate"}' }];
  const [message] = await messagesOf([{ role: "assistant", parts }]);
  expect(message.content[0].arguments).toEqual({ at: "gate" });
});

test("ids that are null, missing or empty come back as they were", async () => {
  const call = { type: "tool_call", name: "look", arguments: {} };
  const response = { type: "tool_call_response", response: "seen" };
  for (const id of [{}, { id: null }, { id: "" }]) {
    const document = [
      { role: "assistant", parts: [{ ...call, ...id }] },
      { role: "tool", parts: [{ ...response, ...id }] },
    ];
    const { output } = await convert(JSON.stringify(document), { from: "otel", to: "otel" });
    expect(JSON.parse(output)).toEqual(document);
  }
});

test("earlier answers state their model and usage themselves", async () => {
  const attributes = {
    "gen_ai.provider.name": "acme",
    "gen_ai.response.model": "reed-1",
    "gen_ai.usage.input_tokens": 7,
    "gen_ai.usage.output_tokens": 2,
  };
  const answer = { role: "assistant", parts: [text("Hi")], finish_reason: "stop", ...attributes };
  const document = [answer, { role: "user", parts: [text("And?")] }];
  const [message] = await messagesOf(document);
  expect([message.provider, message.model, message.usage.input]).toEqual(["acme", "reed-1", 7]);
  expect(message.ext).toEqual({ synthesised: ["/api", "/usage/cost", "/timestamp"], otel: { bare: true } });
});

test("a list of messages stays a list with escrow", async () => {
  const document = [{ role: "user", parts: [text("a")] }];
  const [message] = await messagesOf(document);
  const source = `${JSON.stringify({ ...message, id: "m-1" })}\n`;
  const { output } = await convert(source, { from: "openclaw", to: "otel", escrow: true });
  const [{ "x-dragoman": escrow, ...first }, ...others] = JSON.parse(output);
  expect([first, others]).toEqual([document[0], []]);
  expect(escrow.span).toBe(1);
  expect((await convert(output, { from: "otel", to: "openclaw" })).output).toBe(source);
});

test("a loss names the message in the list", async () => {
  const document = [
    { role: "user", parts: [text("a")] },
    { role: "user", parts: [text("b")], name: "ada" },
  ];
  const { losses } = await convert(JSON.stringify(document), { from: "otel", to: "clawtools" });
  expect(losses.filter(({ what }) => what.startsWith("sender")).map(({ at }) => at)).toEqual(["/1"]);
});

test.each([
  ["JavaScript", '[{"role":"user","parts":[{"type":"text","content":"Grüß, \\n[]"}]}]', "compact"],
  [
    "Python",
    '[{"role": "user", "parts": [{"type": "text", "content": "Gr\\u00fc\\u00df, {}"}]}]',
    "spaced ascii",
  ],
  ["Python without escapes", '[{"role": "user", "parts": [], "name": "é"}]', "spaced"],
  ["another", '[ {"role":"user","parts":[]} ]', '[ {"role":"user","parts":[]} ]'],
])("a list as text keeps its spelling: %s", async (_, list, spelling) => {
  const document = JSON.stringify({ "gen_ai.input.messages": list });
  const [session] = await messagesOf(JSON.parse(document));
  expect(session.ext.otel.texts).toEqual({ "gen_ai.input.messages": spelling });
  const { output } = await convert(document, { from: "otel", to: "otel" });
  expect(JSON.parse(output)).toEqual(JSON.parse(document));
});

test("the lists of other formats are not mistaken for these", async () => {
  const ui = [{ id: "1", role: "user", parts: [{ type: "text", text: "a" }] }];
  const google = [{ role: "user", parts: [{ text: "a" }] }];
  for (const document of [ui, google]) {
    const found = await detect(JSON.stringify(document));
    expect(found.map(({ dialect }) => dialect)).not.toContain("otel");
  }
});

test("an OTLP export is refused with what to do", async () => {
  const document = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [] }] }] });
  const hint =
    "OTLP exports are not supported: select one span, and write its attributes as an object of names and values";
  await expect(convert(document, { to: "openclaw" })).rejects.toMatchObject({ hint });
  await expect(convert(document, { from: "otel", to: "openclaw" })).rejects.toMatchObject({ hint });
});

test("check names what the schemas refuse", async () => {
  const parts = [{ type: "text", text: "a" }, "b", { type: "uri", uri: "c" }];
  const document = { "gen_ai.input.messages": [{ role: "critic", parts }] };
  const { problems } = await check(JSON.stringify(document), { from: "otel" });
  expect(problems.map(({ at, code }) => [at, code])).toEqual([
    ["/gen_ai.input.messages/0/role", "otel/unknown-role"],
    ["/gen_ai.input.messages/0/parts/0", "otel/missing-field"],
    ["/gen_ai.input.messages/0/parts/1", "otel/no-type"],
    ["/gen_ai.input.messages/0/parts/2", "otel/missing-field"],
  ]);
});
