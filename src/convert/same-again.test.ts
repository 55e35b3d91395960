import { expect, test } from "vitest";
import type { DialectName } from "../dialects/registry.js";
import { convert } from "./convert.js";

const message = (role: string, more: object) => ({ author: { role }, ...more });

/** Inputs that a program of ours would have written in another way. */
test.each<[what: string, dialect: DialectName, lines: object[]]>([
  [
    "a prompt in a line of ours",
    "codex",
    [
      { type: "session_meta", payload: { id: "s", timestamp: "2026-01-01T00:00:00Z", cwd: "/" } },
      { type: "dragoman", payload: { role: "user", content: "Hi", id: "a", sender: "alice" } },
    ],
  ],
  [
    "an answer without blocks",
    "claude-code",
    [
      { type: "user", message: { role: "user", content: "Hi" }, uuid: "a", parentUuid: null },
      {
        parentUuid: "a",
        isSidechain: false,
        type: "assistant",
        message: {
          id: "msg_00000001000040008000000000000001",
          type: "message",
          role: "assistant",
          content: [],
          stop_reason: "end_turn",
          stop_sequence: null,
        },
        uuid: "00000001-0000-4000-8000-000000000001",
        timestamp: "2026-01-01T00:00:00.000Z",
      },
    ],
  ],
  [
    "a result in the step after its call",
    "atif",
    [
      {
        schema_version: "ATIF-v1.4",
        agent: {},
        steps: [
          { source: "agent", tool_calls: [{ tool_call_id: "c", function_name: "look" }] },
          { source: "system", message: "", extra: { tool_call_id: "c" }, observation: { results: [{}] } },
        ],
      },
    ],
  ],
  [
    "a line between the two of a compaction",
    "claude-code",
    [
      { type: "system", subtype: "compact_boundary", uuid: "a" },
      { type: "progress" },
      { parentUuid: "a", type: "user", message: { content: "Summary" }, isCompactSummary: true },
    ],
  ],
  ["an error body with an empty field", "openai-chat", [{ x: null, error: "d" }]],
  ["stop sequences that are not texts", "openai-chat", [{ messages: [], stop: [{}] }]],
  ["an answer with unsigned thinking", "anthropic", [{ content: [{ type: "thinking", thinking: "Hm" }] }]],
  [
    "a block with an empty ext",
    "timbal",
    [{ i: "", v: { type: "x-dragoman-block", block: { type: "audio", url: "", ext: {} } } }],
  ],
  [
    "a Claude result that does not name its tool",
    "claude-ai",
    [
      {
        chat_messages: [
          {
            sender: "assistant",
            content: [
              { type: "tool_use", id: "t", name: "look", input: {} },
              { type: "tool_result", tool_use_id: "t" },
            ],
          },
        ],
      },
    ],
  ],
  [
    "a folder in the header of Gemini CLI, with the hash of none",
    "gemini-cli",
    [{ sessionId: "s", projectHash: "811c9dc5", cwd: "x" }],
  ],
  [
    "a result between the lines of the first answer",
    "claude-code",
    [
      { type: "assistant", message: { id: "m", content: [] }, uuid: "a" },
      {
        parentUuid: "a",
        type: "user",
        message: { content: [{ tool_use_id: "c", type: "tool_result" }] },
        uuid: "b",
      },
      { type: "assistant", message: { id: "m", content: [] }, uuid: "d" },
    ],
  ],
  [
    "a ChatGPT result that does not name its tool",
    "chatgpt",
    [
      {
        mapping: {
          a: {
            message: message("assistant", { content: { content_type: "code", text: "" }, recipient: "w" }),
          },
          b: { message: message("tool", { content: { content_type: "text", parts: [] } }), parent: "a" },
        },
      },
    ],
  ],
])("%s comes back as it was", async (_, dialect, lines) => {
  const input = lines.map((line) => JSON.stringify(line)).join("\n");
  const { output, losses } = await convert(input, { from: dialect, to: dialect });
  const read = lines.length > 1 ? output.trimEnd().split("\n") : [output];
  expect(read.map((line) => JSON.parse(line))).toEqual(lines);
  expect(losses).toEqual([]);
});

test("an answer without a time after a line that is not part of the conversation loses nothing", async () => {
  const lines = ['{"timestamp":"2026-01-01T00:00:00Z"}', '{"id":"a","type":"gemini","content":"Hi"}'];
  const { output, losses } = await convert(lines.join("\n"), { from: "gemini-cli", to: "gemini-cli" });
  expect(output.trimEnd().split("\n").slice(1)).toEqual(lines);
  expect(losses.map(({ what }) => what)).toEqual(["a session message"]);
});

test("a titled session of Claude Code comes back from another dialect without escrow", async () => {
  const input = `${['{"type":"custom-title","customTitle":"x"}', '{"type":"assistant","message":{"content":[]}}'].join("\n")}\n`;
  const there = await convert(input, { from: "claude-code", to: "otel", escrow: true });
  const back = await convert(there.output, { from: "otel", to: "claude-code", escrow: true });
  expect(back.output).toBe(input);
});
