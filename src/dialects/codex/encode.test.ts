import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import type { AgentMessage } from "../../core/index.js";

const usage = {
  input: 5,
  output: 3,
  cacheRead: 2,
  cacheWrite: 1,
  totalTokens: 11,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const session: AgentMessage = {
  role: "session",
  id: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
  timestamp: 1_772_442_000_000,
};

async function write(...messages: AgentMessage[]) {
  const text = messages.map((message) => JSON.stringify(message)).join("\n");
  const { output, losses } = await convert(text, { from: "openclaw", to: "codex" });
  const lines = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { lines, losses, payloads: lines.map(({ payload }) => payload) };
}

const answer = (content: unknown[], more: object = {}) =>
  ({
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: "model-x",
    usage,
    stopReason: "stop",
    timestamp: 1_772_442_002_000,
    ...more,
  }) as AgentMessage;

test("a file starts with the five fields that Codex requires, and names no provider", async () => {
  const { lines } = await write(session);
  expect(lines).toEqual([
    {
      timestamp: "2026-03-02T09:00:00.000Z",
      type: "session_meta",
      payload: {
        id: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
        timestamp: "2026-03-02T09:00:00.000Z",
        cwd: "/",
        originator: "codex_cli_rs",
        cli_version: "0.166.0",
        source: "cli",
      },
    },
  ]);
});

test("a prompt is an item and the event by which Codex lists the session", async () => {
  const { lines } = await write(session, { role: "user", content: "Hi", timestamp: 1_772_442_001_000 });
  expect(lines.slice(1)).toEqual([
    {
      timestamp: "2026-03-02T09:00:01.000Z",
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
    },
    {
      timestamp: "2026-03-02T09:00:01.000Z",
      type: "event_msg",
      payload: { type: "user_message", message: "Hi" },
    },
  ]);
});

test("an answer states its model, repeats its text and counts its tokens", async () => {
  const call = { type: "toolCall", id: "toolu_1", name: "read", arguments: { path: "a" } };
  const { lines, payloads } = await write(
    session,
    answer([{ type: "thinking", thinking: "Hm" }, { type: "text", text: "Reading." }, call]),
  );
  expect(lines.slice(1).map(({ type }) => type)).toEqual([
    "turn_context",
    "response_item",
    "event_msg",
    "response_item",
    "response_item",
    "event_msg",
  ]);
  const tokens = {
    input_tokens: 8,
    cached_input_tokens: 2,
    cache_write_input_tokens: 1,
    output_tokens: 3,
    reasoning_output_tokens: 0,
    total_tokens: 11,
  };
  expect(payloads.slice(1)).toEqual([
    { model: "model-x" },
    { type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }], encrypted_content: null },
    { type: "agent_message", message: "Reading." },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Reading." }] },
    { type: "function_call", name: "read", arguments: '{"path":"a"}', call_id: "toolu_1" },
    {
      type: "token_count",
      info: { total_token_usage: tokens, last_token_usage: tokens, model_context_window: null },
      rate_limits: null,
    },
  ]);
});

test("the model is stated again only if it changes", async () => {
  const text = [{ type: "text", text: "x" }];
  const { lines } = await write(session, answer(text), answer(text), answer(text, { model: "model-y" }));
  const models = lines.flatMap(({ type, payload }) => (type === "turn_context" ? [payload.model] : []));
  expect(models).toEqual(["model-x", "model-y"]);
});

test("signatures of other APIs, failed tools and stop reasons are reported", async () => {
  const { losses } = await write(
    session,
    answer([{ type: "thinking", thinking: "Hm", thinkingSignature: "sig" }], { stopReason: "length" }),
    {
      role: "toolResult",
      toolCallId: "a",
      toolName: "read",
      content: [{ type: "text", text: "no such file" }],
      isError: true,
      timestamp: 1_772_442_003_000,
    },
  );
  const reported = losses.map(({ at, what, why }) => `${at} ${what}: ${why}`);
  expect(reported).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^\/1\S* .*sig.*: only reasoning that OpenAI has encrypted can be sent back$/),
      expect.stringMatching(/^\/1\S* stopReason .*: only turns have an end, and answers do not$/),
      expect.stringMatching(/^\/2\S* isError .*: a result does not state whether the tool failed$/),
    ]),
  );
});

test("a system message is the developer's, because Codex drops the role system", async () => {
  const { payloads } = await write(session, { role: "system", content: "Be brief", timestamp: 1 });
  expect(payloads[1]).toEqual({
    type: "message",
    role: "developer",
    content: [{ type: "input_text", text: "Be brief" }],
  });
});

test("a history is the summary and the messages that are kept", async () => {
  const compaction: AgentMessage = { role: "compaction", summary: "Short", verbatim: true, timestamp: 1 };
  const { payloads, losses } = await write(session, compaction, { ...compaction, firstKeptId: "m1" });
  expect(payloads.slice(1)).toEqual([
    {
      message: "Short",
      replacement_history: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "Short" }] },
      ],
    },
    {
      message: "Short",
      replacement_history: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "Short" }] },
      ],
    },
  ]);
  const dropped = losses.filter(({ severity }) => severity === "dropped");
  expect(dropped.map(({ at, why }) => [at, why])).toEqual([
    ["/2/firstKeptId", "the history contains the messages that are kept, not their ids"],
  ]);
});

test("a message that Codex has no line for is carried by a line that it skips", async () => {
  const status: AgentMessage = { role: "status", state: "busy", timestamp: 1_772_442_001_000 };
  const { lines, losses } = await write(session, status);
  expect(lines[1]).toEqual({
    timestamp: "2026-03-02T09:00:01.000Z",
    type: "dragoman",
    payload: { role: "status", state: "busy" },
  });
  expect(losses).toEqual([]);
});

test("an edited call is written as it is now, not as it was read", async () => {
  const line = (payload: object) =>
    JSON.stringify({ timestamp: "2026-03-02T09:00:01.000Z", type: "response_item", payload });
  const call = { type: "function_call", name: "read", arguments: '{"path": "a"}', call_id: "c1" };
  const there = await convert(line(call), { from: "codex", to: "openclaw" });
  const edited = there.output.replace('"arguments":{"path":"a"}', '"arguments":{"path":"b"}');
  expect(edited).not.toBe(there.output);
  const { output } = await convert(edited, { from: "openclaw", to: "codex" });
  expect(JSON.parse(output).payload.arguments).toBe('{"path":"b"}');
});
