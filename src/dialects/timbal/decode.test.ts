import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import type { JsonObject } from "../../core/json/value.js";
import { decode } from "./decode.js";

const t = "2025-01-15T14:30:00.000Z";
const record = (place: number, v: JsonObject) => ({ i: `01JHN5Y1J0A7Q3ZK5T9V2XW00${place}`, t, v });
const call = { type: "tool_call", toolCallId: "c1", name: "get_weather", arguments: {} };
const result = { type: "tool_result", toolCallId: "c1", status: "success", output: { temp: 65 } };

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
