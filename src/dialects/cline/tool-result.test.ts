import { describe, expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import type { DialectName } from "../registry.js";

const rows = [{ query: "a.ts", result: "file text", success: true }];

function file(content: unknown): string {
  return JSON.stringify({
    version: 1,
    updated_at: "2026-05-02T09:30:00.250Z",
    agent: "lead",
    sessionId: "s1",
    messages: [
      { id: "u1", role: "user", content: [{ type: "text", text: "Find a.ts" }] },
      { id: "a1", role: "assistant", content: [{ type: "tool_use", id: "t1", name: "find", input: {} }] },
      {
        id: "u2",
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content, is_error: false }],
      },
    ],
  });
}

async function converted(content: unknown, to: DialectName) {
  return JSON.parse((await convert(file(content), { from: "cline", to })).output);
}

async function result(content: unknown): Promise<Record<string, unknown>> {
  const { output } = await convert(file(content), { from: "cline", to: "openclaw" });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

describe("a tool result that is a JSON value", () => {
  test.each([
    [rows],
    [{ rows: [1, 2], ok: true }],
    [["a", "b"]],
    [null],
    [3],
    [false],
    [[null]],
    [[{ type: "text" }]],
  ])("is its JSON as text, with the value in details: %j", async (value) => {
    const { content, details } = await result(value);
    expect(content).toEqual([{ type: "text", text: JSON.stringify(value) }]);
    expect(details).toEqual(value);
  });

  test("reaches the model of every provider as text", async () => {
    const text = JSON.stringify(rows);
    expect((await converted(rows, "anthropic")).messages[2].content).toEqual([
      { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text }] },
    ]);
    expect((await converted(rows, "openai-chat")).messages[2]).toEqual({
      role: "tool",
      tool_call_id: "t1",
      content: text,
    });
    expect((await converted(rows, "openai-responses")).input[2]).toEqual({
      type: "function_call_output",
      call_id: "t1",
      output: text,
    });
    expect((await converted(rows, "ollama")).messages[2]).toMatchObject({ role: "tool", content: text });
    expect((await converted(rows, "google")).contents[2].parts[0].functionResponse).toMatchObject({
      name: "find",
      response: { output: text },
    });
  });

  test("is the value in Timbal", async () => {
    const { output } = await convert(file(rows), { from: "cline", to: "timbal" });
    expect(output).toContain(`"output":${JSON.stringify(rows)}`);
  });
});

describe("a list of blocks", () => {
  const picture = { type: "image", data: "AAAA", mediaType: "image/png" };

  test("of texts and images stays a list of blocks", async () => {
    const { content, details } = await result([{ type: "text", text: "A square" }, picture]);
    expect(content).toEqual([
      { type: "text", text: "A square" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ]);
    expect(details).toBeUndefined();
  });

  test("has other values among them as the text of their JSON", async () => {
    const { content } = await result([picture, { rows: 1 }, null]);
    expect(content).toEqual([
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "text", text: '{"rows":1}', ext: { cline: { json: true } } },
      { type: "text", text: "null", ext: { cline: { json: true } } },
    ]);
  });
});

test.each([
  [rows],
  [{ a: 1 }],
  ["text"],
  [[]],
  [[null]],
  [["a"]],
  [[{ type: "text", text: "x" }, null, { type: "file" }]],
])("comes back as it was: %j", async (value) => {
  const { output, losses } = await convert(file(value), { from: "cline", to: "cline" });
  expect(JSON.parse(output)).toEqual(JSON.parse(file(value)));
  expect(losses).toEqual([]);
});

test("details that do not say what the text says are not written as the value", async () => {
  const line = {
    role: "toolResult",
    toolCallId: "t1",
    toolName: "find",
    content: [{ type: "text", text: "changed" }],
    details: rows,
    isError: false,
    timestamp: 0,
    ext: { cline: { form: "value" } },
  };
  const { output } = await convert(`${JSON.stringify(line)}\n`, { from: "openclaw", to: "cline" });
  expect(JSON.parse(output).messages[0].content[0].content).toBe("changed");
});
