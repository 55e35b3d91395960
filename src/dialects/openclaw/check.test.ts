import { expect, test } from "vitest";
import { check } from "./check.js";

const cost = { input: 0.003, output: 0.0075, cacheRead: 0.00015, cacheWrite: 0, total: 0.01065 };
const usage = { input: 200, output: 100, cacheRead: 100, cacheWrite: 0, totalTokens: 300, cost };
const text = { type: "text", text: "Hi" };
const call = { type: "toolCall", id: "c", name: "read", arguments: {} };
const answer = {
  role: "assistant",
  content: [text],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage,
  stopReason: "stop",
  timestamp: 1740000000000,
};
const result = {
  role: "toolResult",
  toolCallId: "c",
  toolName: "read",
  content: [text],
  isError: false,
  timestamp: 1740000000000,
};

const without = (record: object, ...keys: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

test.each<[string, object]>([
  ["a user message", { role: "user", content: "Hi", timestamp: 1740000000000 }],
  ["an answer", answer],
  ["a total that counts cached tokens", { ...answer, usage: { ...usage, totalTokens: 400 } }],
  ["a call", { ...answer, content: [text, call], stopReason: "toolUse" }],
  ["a call that was cut off", { ...answer, content: [call], stopReason: "length" }],
  ["a failure", { ...answer, content: [], stopReason: "error", errorMessage: "overloaded" }],
  ["an abort with a message", { ...answer, content: [call], stopReason: "aborted", errorMessage: "aborted" }],
  ["an abort without one", { ...answer, content: [], stopReason: "aborted" }],
  ["a result", result],
  ["a reason that no source gave", { ...answer, content: [call], ext: { synthesised: ["/stopReason"] } }],
  [
    "a total from the provider's bill",
    { ...answer, usage: { ...usage, cost: { ...cost, total: 1, totalFromProvider: true } } },
  ],
  ["a role of a program's own", { role: "note" }],
])("there is nothing to say about %s", (_, line) => expect(check([{ ...line }])).toEqual([]));

test.each<[object, string, string, string]>([
  [{ role: "user", content: "Hi" }, "/0", "missing-field", "the user message has no timestamp"],
  [
    without(answer, "api", "provider", "model"),
    "/0",
    "missing-field",
    "the assistant message has no api, provider and model",
  ],
  [without(result, "isError"), "/0", "missing-field", "the toolResult message has no isError"],
  [
    { ...answer, usage: { input: 1, output: 2 } },
    "/0/usage",
    "missing-field",
    "the usage has no cacheRead, cacheWrite, totalTokens, cost",
  ],
  [
    { ...answer, usage: { ...usage, cost: { input: 0, output: 0, total: 0 } } },
    "/0/usage",
    "missing-field",
    "the usage has no cost.cacheRead, cost.cacheWrite",
  ],
  [
    { ...answer, stopReason: "end_turn" },
    "/0/stopReason",
    "stop-reason",
    'the format has no stop reason "end_turn"',
  ],
  [
    { ...answer, errorMessage: "overloaded" },
    "/0/errorMessage",
    "stop-reason",
    'the message has an errorMessage, but its stop reason is "stop"',
  ],
  [
    { ...answer, stopReason: "error" },
    "/0/stopReason",
    "stop-reason",
    'the stop reason is "error", but there is no errorMessage',
  ],
  [
    { ...answer, stopReason: "toolUse" },
    "/0/stopReason",
    "stop-reason",
    'the stop reason is "toolUse", but the message calls no tool',
  ],
  [
    { ...answer, content: [call] },
    "/0/stopReason",
    "stop-reason",
    'the message calls a tool, but its stop reason is "stop"',
  ],
  [{ ...answer, usage: { ...usage, input: -5, totalTokens: 95 } }, "/0/usage/input", "usage", "input is -5"],
  [
    { ...answer, usage: { ...usage, output: 1.5, totalTokens: 301.5 } },
    "/0/usage/output",
    "usage",
    "output is 1.5",
  ],
  [
    { ...answer, usage: { ...usage, totalTokens: 9999 } },
    "/0/usage/totalTokens",
    "usage",
    "totalTokens is 9999, but the counts add up to 400",
  ],
  [
    { ...answer, usage: { ...usage, cost: { ...cost, total: 1 } } },
    "/0/usage/cost/total",
    "usage",
    "the total cost is 1, but its parts add up to 0.01065",
  ],
  [
    { ...answer, usage: { input: 1, output: 2, totalTokens: 9 } },
    "/0/usage/totalTokens",
    "usage",
    "totalTokens is 9, but the counts add up to 3",
  ],
])("%j", (line, at, reason, message) => {
  expect(check([{ ...line }])).toContainEqual(
    expect.objectContaining({ at, code: `openclaw/${reason}`, message, severity: "warning" }),
  );
});

test.each([
  [{ ...usage, input: -5, output: -3, totalTokens: 9 }, "totalTokens"],
  [{ ...usage, output: 1.5, totalTokens: 9 }, "totalTokens"],
  [{ ...usage, cost: { ...cost, input: -9, total: 1 } }, "cost/total"],
])("no hint proposes a number that is no count or no price: %j", (odd, field) => {
  const found = check([{ ...answer, usage: odd }]).find(({ at }) => at === `/0/usage/${field}`);
  expect(found?.hint).toMatch(/^correct the (?:counts|parts) first; each is /);
});

test("the hint for a foreign stop reason fits the message", () => {
  const hintFor = (content: object[]) => check([{ ...answer, content, stopReason: "end_turn" }])[0]?.hint;
  expect(hintFor([text])).toBe('write "stop"');
  expect(hintFor([call])).toBe('write "toolUse"');
});
