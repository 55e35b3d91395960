import { describe, expect, test } from "vitest";
import { convert } from "./convert.js";
import { repair } from "./repair.js";

describe("known mistakes", () => {
  test("are not looked for in records that carry escrow: it goes by the records as they stand", async () => {
    const text = JSON.stringify([
      { role: "assistant", content: [{ type: "toolCall", id: "c", name: "t", arguments: {} }] },
      {
        role: "toolResult",
        toolCallId: "c",
        "x-dragoman": { in: "clawtools", span: 1, of: ["toolResult"], messages: [{ from: 0 }] },
      },
    ]);
    const { output, changes } = await repair(text, { from: "clawtools" });
    expect({ output, changes }).toEqual({ output: text, changes: [] });
  });

  test("are looked for in the records after an escrow that does not fit them", async () => {
    const sealed = '{"x-dragoman":{"in":"cline","span":3,"of":[]}}';
    const text = `{"version":1,"messages":[${sealed},{"role":"user","content":"hi"}]}`;
    const { output, changes, unplaced } = await repair(text, { from: "cline" });
    expect(JSON.parse(output)).toEqual({
      version: 1,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    });
    expect(changes.map(({ at, code }) => `${at} ${code}`)).toEqual(["/messages/1 cline/mended"]);
    expect(unplaced).toEqual([
      { line: 1, text: sealed, why: "the x-dragoman field covers 3 records, but there are 2" },
    ]);
  });

  test("of which an API wants nothing to be seen are no change", async () => {
    const result = { role: "toolResult", toolCallId: "c", toolName: "t", content: [], isError: false };
    const asks = { role: "assistant", content: [{ type: "toolCall", id: "c", name: "t", arguments: {} }] };
    const text = `${JSON.stringify([asks, result], null, 2)}\n`;
    const mended = await repair(text, { from: "clawtools" });
    expect(mended.changes.map(({ code }) => code)).toEqual(["clawtools/mended"]);
    const { output, changes } = await repair(text, { from: "clawtools", for: "google" });
    expect({ output, changes }).toEqual({ output: text, changes: [] });
  });
});

test.each([
  [
    "openclaw",
    [
      '{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":"{\\"path\\":\\"x\\"}"}],"timestamp":"2025-02-19T21:20:00Z"}',
      '{"role":"toolResult","toolCallId":"c","toolName":"read","content":"ok","isError":false,"timestamp":1740000001000}',
    ],
  ],
  [
    "pi",
    [
      '{"type":"message","timestamp":"2025-02-19T21:20:00.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":"{\\"path\\":\\"x\\"}"}],"timestamp":1740000000000}}',
      '{"type":"message","timestamp":"2025-02-19T21:20:01.000Z","message":{"role":"toolResult","toolCallId":"c","toolName":"read","content":"ok","isError":false,"timestamp":1740000001000}}',
    ],
  ],
  [
    "openclaw-turns",
    [
      '{"role":"assistant","content":[],"timestamp":"2025-02-19T21:20:00Z","toolCall":{"id":"c","name":"read","arguments":"{\\"path\\":\\"x\\"}"}}',
      '{"role":"tool","content":"ok","timestamp":1740000001000,"toolResult":{"toolCallId":"c","output":"ok"}}',
    ],
  ],
] as const)("%s: what has one right fix is not set aside", async (from, lines) => {
  const { output, unplaced } = await repair(`${lines.join("\n")}\n`, { from });
  expect(unplaced).toEqual([]);
  const { output: messages } = await convert(output, { from, to: "openclaw" });
  const [answer, result] = messages
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ role }) => role !== "session");
  expect(answer).toMatchObject({ content: [{ arguments: { path: "x" } }], timestamp: 1740000000000 });
  expect(result).toMatchObject({ content: [{ type: "text", text: "ok" }] });
});
