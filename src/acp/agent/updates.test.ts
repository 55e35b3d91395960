import { expect, test } from "vitest";
import type { AgentMessage, AssistantMessage } from "../../core/types.js";
import { SessionUpdates } from "./updates.js";

const open = (showsCompaction = false) => new SessionUpdates({ cwd: "/w", showsCompaction });

const answer = (fields: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  id: "A",
  content: [],
  api: "demo",
  provider: "demo",
  model: "script",
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 1,
  ...fields,
});

const call = { type: "toolCall" as const, id: "c", name: "exec", arguments: { command: "ls" } };
const result: AgentMessage = {
  role: "toolResult",
  toolCallId: "c",
  toolName: "exec",
  content: [{ type: "text", text: "a ``` b" }],
  isError: false,
  timestamp: 2,
};

test("a call that a provider names like an earlier one is a call of its own", () => {
  const updates = open();
  const kinds = [answer({ content: [call] }), result, answer({ id: "B", content: [call] }), result].flatMap(
    (message) => updates.stored(message).map(({ sessionUpdate }) => sessionUpdate),
  );
  expect(kinds).toEqual(["tool_call", "tool_call_update", "tool_call", "tool_call_update"]);
});

test("the fence around output is longer than any in it", () => {
  const updates = open();
  updates.stored(answer({ content: [call] }));
  expect(updates.stored(result)).toEqual([
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "````\na ``` b\n````" } }],
    },
  ]);
});

test("what was streamed is not repeated when it is stored", () => {
  const updates = open();
  updates.step({ type: "run_start", runId: "R" });
  updates.step({ type: "message_start", runId: "R", message: { role: "assistant", id: "A" } });
  const text = { type: "text_delta" as const, contentIndex: 0, delta: "Hi" };
  expect(updates.step({ type: "message_update", runId: "R", assistantMessageEvent: text })).toEqual([
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi" }, messageId: "A" },
  ]);
  const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
  expect(updates.stored(answer({ content: [{ type: "text", text: "Hi" }, image] }))).toEqual([
    { sessionUpdate: "agent_message_chunk", content: image, messageId: "A" },
  ]);
  // An answer of another process was not streamed here.
  expect(updates.stored(answer({ id: "B", content: [{ type: "text", text: "Ho" }] }))).toHaveLength(1);
});

test("a compaction is shown to clients that can show it", () => {
  const compaction: AgentMessage = { role: "compaction", id: "C", summary: "Earlier …", timestamp: 1 };
  expect(open().stored(compaction)).toEqual([]);
  expect(open(true).stored(compaction)).toEqual([
    {
      sessionUpdate: "compaction_update",
      compactionId: "C",
      status: "completed",
      summary: [{ type: "text", text: "Earlier …" }],
    },
  ]);
});

test("a failure is shown in a replay, and left to the end of a run", () => {
  const broken = answer({ stopReason: "error", errorMessage: "no luck" });
  const shown = { type: "text", text: "Error: no luck" };
  expect(open().stored(broken)).toEqual([
    { sessionUpdate: "agent_message_chunk", content: shown, messageId: "A" },
  ]);
  const running = open();
  running.step({ type: "run_start", runId: "R" });
  expect(running.stored(broken)).toEqual([]);
});

test("notes, titles and states are not part of the conversation", () => {
  const notes: AgentMessage[] = [
    { role: "session", timestamp: 1 },
    { role: "custom", customType: "dragoman/meta", data: { title: "x" }, timestamp: 1 },
    { role: "status", state: "thinking", timestamp: 1 },
  ];
  expect(notes.flatMap((note) => open().stored(note))).toEqual([]);
});
