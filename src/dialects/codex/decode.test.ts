import { expect, test } from "vitest";
import type { JsonRecord } from "../../core/dialect.js";
import { decode } from "./decode.js";
import { joins } from "./wire.js";

const line = (type: string, payload: object): JsonRecord => ({
  timestamp: "2026-03-02T09:00:01.000Z",
  type,
  payload,
});
const item = (payload: object) => line("response_item", payload);
const event = (payload: object) => line("event_msg", payload);
const say = (text: string) =>
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const call = (call_id: string) => item({ type: "function_call", name: "ls", arguments: "{}", call_id });
const output = (call_id: string) => item({ type: "function_call_output", call_id, output: "a" });
const count = event({
  type: "token_count",
  info: {
    last_token_usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2, total_tokens: 12 },
  },
});
const context = line("turn_context", { cwd: "/w", model: "model-a" });

const rolesOf = (...records: JsonRecord[]) => decode(records, context).map(({ message }) => message.role);

test("events between the items of an answer do not split it", () => {
  const reasoning = item({ type: "reasoning", summary: [], encrypted_content: "x" });
  const thought = event({ type: "agent_reasoning", text: "Hm" });
  const [answer, ...others] = decode([reasoning, thought, call("1"), count, output("1")], context);
  expect(answer?.message).toMatchObject({
    role: "assistant",
    content: [{ type: "thinking" }, { type: "toolCall", id: "1" }],
    model: "model-a",
    usage: { input: 6, cacheRead: 4, output: 2, totalTokens: 12 },
  });
  expect(others.map(({ message }) => message.role)).toEqual(["custom", "toolResult"]);
});

test("tokens counted after the results belong to the answer before these", () => {
  const [answer] = decode([call("1"), output("1"), count], context);
  expect(answer?.message).toMatchObject({ role: "assistant", usage: { input: 6 } });
});

test("a new answer begins after a result and after the tokens", () => {
  expect(rolesOf(call("1"), output("1"), say("a"))).toEqual(["assistant", "toolResult", "assistant"]);
  expect(rolesOf(say("a"), count, say("b"))).toEqual(["assistant", "assistant"]);
  expect(joins(output("1"), say("a"), call("1"))).toBe(false);
  expect(joins(count, say("a"), call("1"))).toBe(false);
  expect(joins(call("1"), output("1"), call("1"))).toBe(true);
});

test("an event that repeats the next text is part of the answer; any other is not", () => {
  const echo = event({ type: "agent_message", message: "a" });
  expect(rolesOf(echo, say("a"))).toEqual(["assistant"]);
  expect(rolesOf(echo, say("b"))).toEqual(["custom", "assistant"]);
});

test("what Codex keeps for itself has no content, and what agents send has", () => {
  const [world, letter] = decode(
    [line("world_state", { full: true }), line("inter_agent_communication", { content: "Count." })],
    context,
  ).map(({ message }) => message);
  expect(world).toEqual({
    role: "custom",
    customType: "codex/world_state",
    data: { full: true },
    timestamp: 1_772_442_001_000,
  });
  expect(letter).toMatchObject({ role: "custom", content: "Count." });
});

test("a line of a stranger is kept if it has a role, and refused if it has nothing", () => {
  expect(decode([{ role: "user", message: "a" }], context)[0]?.message).toMatchObject({
    role: "custom",
    customType: "codex/user",
    data: { role: "user", message: "a" },
  });
  expect(() => decode([{ a: 1 }], context)).toThrow("expected the type of a line");
});
