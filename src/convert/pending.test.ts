import { expect, test } from "vitest";
import { check } from "./check.js";
import { convert } from "./convert.js";
import { repair } from "./repair.js";

const call =
  '{"role":"assistant","content":[],"timestamp":1700000001,"toolCall":{"id":"c1","name":"build","arguments":{}}}';
const pending =
  '{"role":"tool","content":[],"timestamp":1700000002,"toolResult":{"toolCallId":"c1","isPending":true}}';
const final =
  '{"role":"tool","content":[],"timestamp":1700000003,"toolResult":{"toolCallId":"c1","error":"boom"}}';
const lines = (...all: string[]) => `${all.join("\n")}\n`;
const from = "openclaw-turns";

test("a pending result and its final one are a call with one result", async () => {
  const { problems } = await check(lines(call, pending, pending, final), { from });
  expect(problems.filter(({ code }) => code.startsWith("pairing/"))).toEqual([]);
});

test("a call with nothing but a pending result is unanswered", async () => {
  const { problems } = await check(lines(call, pending), { from });
  expect(problems.map(({ code, line }) => [code, line])).toContainEqual(["pairing/unanswered", 1]);
});

test("repair leaves both lines as they are", async () => {
  const text = lines(call, pending, final);
  expect(await repair(text, { from })).toMatchObject({ output: text, changes: [], unplaced: [] });
});

test("repair puts the missing result behind the pending one", async () => {
  const { output, unplaced } = await repair(lines(call, pending), { from });
  const [first, second, third] = output.trim().split("\n");
  expect([first, second]).toEqual([call, pending]);
  expect(JSON.parse(third ?? "")).toMatchObject({
    toolResult: { toolCallId: "c1", error: expect.any(String) },
  });
  expect(unplaced).toEqual([]);
});

test.each(["openclaw", "pi", "clawtools", "cline", "timbal", "anthropic", "openai-chat", "google"] as const)(
  "%s gets the final result alone, and the ledger names the other",
  async (to) => {
    const { output, losses } = await convert(lines(call, pending, final), { from, to });
    const roles = (await convert(output, { from: to, to: "openclaw" })).output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ role }) => role === "toolResult");
    expect(roles).toMatchObject([{ toolCallId: "c1", content: [{ type: "text", text: "boom" }] }]);
    expect(losses).toContainEqual({
      at: "/1",
      what: "the pending tool result",
      why: "the result that follows supersedes it",
      severity: "dropped",
    });
  },
);

test("the ledger says when no final result follows", async () => {
  const { losses } = await convert(lines(call, pending), { from, to: "openclaw" });
  expect(losses).toContainEqual({
    at: "/1",
    what: "the pending tool result",
    why: "the tool was still running, and there is no final result",
    severity: "dropped",
  });
});

test("in escrow a pending result comes back", async () => {
  const text = lines(call, pending, final);
  const there = await convert(text, { from, to: "anthropic", escrow: true });
  const back = await convert(there.output, { from: "anthropic", to: from, escrow: true });
  expect(back.output).toBe(text);
});
