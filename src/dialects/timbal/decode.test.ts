import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import type { JsonObject } from "../../core/json/value.js";
import { decode } from "./decode.js";

const t = "2025-01-15T14:30:00.000Z";
const record = (place: number, v: JsonObject) => ({ i: `01JHN5Y1J0A7Q3ZK5T9V2XW00${place}`, t, v });
const call = { type: "tool_call", toolCallId: "c1", name: "get_weather", arguments: {} };
const result = { type: "tool_result", toolCallId: "c1", status: "success", output: { temp: 65 } };

function toolNames(...values: JsonObject[]): unknown[] {
  return decode(values.map((v, place) => record(place, v))).flatMap(({ message }) =>
    message.role === "toolResult" ? [message.toolName] : [],
  );
}

test("a result has the tool name of its call, whatever stands between them in the turn", () => {
  const between = [
    { type: "thinking", content: "Meanwhile." },
    { type: "status", state: "working" },
  ];
  expect(toolNames({ type: "user", content: "Hi" }, call, ...between, result)).toEqual(["get_weather"]);
});

test("a result's own name counts", () => {
  expect(toolNames(call, { ...result, name: "weather" })).toEqual(["weather"]);
});

test("a call in another turn, or without a name, names nothing", () => {
  expect(toolNames(call, { type: "user", content: "Well?" }, result)).toEqual([""]);
  expect(toolNames({ ...call, name: "" }, result)).toEqual([""]);
});

test("an answer that calls a tool stopped for it", () => {
  const [first, second] = decode([record(0, call), record(1, { type: "agent", content: "Done." })]);
  expect(first?.message).toMatchObject({ role: "assistant", stopReason: "toolUse" });
  expect(second?.message).toMatchObject({ role: "assistant", stopReason: "stop" });
});

test("Gemini is given the tool name that a result requires there", async () => {
  const lines = [record(0, { type: "user", content: "Hi" }), record(1, call), record(2, result)];
  const source = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { output } = await convert(source, { from: "timbal", to: "google" });
  expect(JSON.parse(output).contents[2].parts[0].functionResponse).toEqual({
    id: "c1",
    name: "get_weather",
    response: { output: '{"temp":65}' },
  });
  expect((await convert(source, { from: "timbal", to: "timbal" })).output).toBe(source);
});
