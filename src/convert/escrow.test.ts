import { expect, test } from "vitest";
import { convert } from "./convert.js";

test("a conversation of which the target can say nothing is nothing but escrow there, and comes back", async () => {
  const source = '{"role":"session","agent":"main","timestamp":1740000000000}\n';
  const there = await convert(source, { from: "openclaw", to: "clawtools", escrow: true });
  expect(JSON.parse(there.output)).toEqual([
    {
      "x-dragoman": {
        span: 1,
        messages: [{ whole: { role: "session", agent: "main", timestamp: 1_740_000_000_000 } }],
      },
    },
  ]);
  expect(there.losses).toEqual([]);
  const back = await convert(there.output, { from: "clawtools", to: "openclaw" });
  expect(back.output).toBe(source);
});

test("without escrow it is an empty document and a loss", async () => {
  const source = '{"role":"session","agent":"main","timestamp":1740000000000}\n';
  const { output, losses } = await convert(source, { from: "openclaw", to: "clawtools" });
  expect(output).toBe("[]\n");
  expect(losses).toEqual([
    {
      at: "/0",
      what: "the session message",
      why: "clawtools messages do not say which session they belong to",
      severity: "dropped",
    },
  ]);
});

test.each([
  ["no list of changes", { span: 1, messages: [{ from: 0, unset: 7 }] }],
  ["a change of nothing", { span: 1, messages: [{ from: 0, set: 7 }] }],
  ["no pointer", { span: 1, messages: [{ from: 0, unset: [0] }] }],
  ["half a pointer", { span: 1, messages: [{ from: 0, set: { "a~": 1 } }] }],
])("a field that looks like escrow but has %s is a field like any other", async (_, field) => {
  const source = `${JSON.stringify({ role: "user", content: "x", timestamp: 5, "x-dragoman": field })}\n`;
  const { output, losses } = await convert(source, { from: "openclaw", to: "openclaw" });
  expect(output).toBe(source);
  expect(losses).toEqual([]);
});

test("records that a reader takes one by one need no escrow to be read together", async () => {
  const source = '{"version":1,"messages":[{"id":"a","role":"assistant","content":[]}]}';
  const there = await convert(source, { from: "cline", to: "openclaw", escrow: true });
  const back = await convert(there.output, { from: "openclaw", to: "cline", escrow: true });
  expect(JSON.parse(back.output)).toEqual(JSON.parse(source));
});

test("what a target would have to nest deeper than anybody reads is refused", async () => {
  const deep = "[".repeat(998) + "]".repeat(998);
  const source = `{"role":"user","content":"x","timestamp":5,"odd":${deep}}\n`;
  expect((await convert(source, { from: "openclaw", to: "openclaw" })).output).toBe(source);
  await expect(convert(source, { from: "openclaw", to: "timbal", escrow: true })).rejects.toMatchObject({
    code: "json/too-deep",
  });
});

test("an escrow that is about more records than there are is refused", async () => {
  const source = '{"role":"user","content":"x","timestamp":5,"x-dragoman":{"span":2}}\n';
  await expect(convert(source, { from: "openclaw", to: "openclaw" })).rejects.toMatchObject({
    code: "convert/bad-escrow",
    line: 1,
  });
});
