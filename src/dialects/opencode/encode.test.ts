import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import type { AgentMessage } from "../../core/index.js";
import { encode } from "./encode.js";

const START = 1_767_261_600_000;

const answer = {
  role: "assistant" as const,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-sonnet-4-5",
  usage: {
    input: 10,
    output: 5,
    cacheRead: 3,
    cacheWrite: 2,
    totalTokens: 20,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
  },
};

async function written(messages: readonly AgentMessage[]) {
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { output, losses } = await convert(lines, { from: "openclaw", to: "opencode" });
  return { document: JSON.parse(output), losses };
}

test("a call and its result are one part", async () => {
  const { document } = await written([
    { role: "session", id: "ses_1", title: "Files", timestamp: START },
    { role: "user", id: "msg_1", content: "List files", timestamp: START + 1 },
    {
      ...answer,
      id: "msg_2",
      content: [{ type: "toolCall", id: "c1", name: "ls", arguments: { path: "." } }],
      stopReason: "toolUse",
      timestamp: START + 2,
    },
    {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "ls",
      content: [
        { type: "text", text: "a.png" },
        { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      ],
      details: { count: 1 },
      isError: false,
      timestamp: START + 9,
    },
  ]);
  expect(document.info).toEqual({
    id: "ses_1",
    slug: "ses_1",
    projectID: "global",
    directory: "/",
    title: "Files",
    version: "1.18.34",
    time: { created: START, updated: START + 2 },
  });
  const frame = { sessionID: "ses_1", messageID: "msg_2" };
  expect(document.messages[0]).toEqual({
    info: {
      id: "msg_1",
      sessionID: "ses_1",
      role: "user",
      time: { created: START + 1 },
      agent: "build",
      model: { providerID: "anthropic", modelID: "claude-sonnet-4-5" },
    },
    parts: [{ id: "prt_1_text", sessionID: "ses_1", messageID: "msg_1", type: "text", text: "List files" }],
  });
  expect(document.messages[1]).toEqual({
    info: {
      id: "msg_2",
      sessionID: "ses_1",
      role: "assistant",
      time: { created: START + 2, completed: START + 9 },
      parentID: "msg_1",
      modelID: "claude-sonnet-4-5",
      providerID: "anthropic",
      mode: "build",
      agent: "build",
      path: { cwd: "/", root: "/" },
      cost: 0.5,
      tokens: { total: 20, input: 10, output: 5, reasoning: 0, cache: { read: 3, write: 2 } },
      finish: "tool-calls",
    },
    parts: [
      {
        id: "prt_2_00000",
        ...frame,
        type: "tool",
        callID: "c1",
        tool: "ls",
        state: {
          status: "completed",
          input: { path: "." },
          output: "a.png",
          title: "",
          metadata: { count: 1 },
          time: { start: START + 2, end: START + 9 },
          attachments: [
            {
              id: "prt_2_00000_000",
              ...frame,
              type: "file",
              mime: "image/png",
              url: "data:image/png;base64,iVBORw0KGgo=",
            },
          ],
        },
      },
    ],
  });
});

test("each message is later than the one before it, because opencode sorts by time", async () => {
  const { document, losses } = await written([
    { role: "user", content: "one", timestamp: START },
    { ...answer, content: [{ type: "text", text: "two" }], stopReason: "stop", timestamp: START },
    { role: "user", content: "three", timestamp: START - 5 },
  ]);
  const times = document.messages.map(
    ({ info }: { info: { time: { created: number } } }) => info.time.created,
  );
  expect(times).toEqual([START, START + 1, START + 2]);
  expect(losses).toContainEqual({
    at: "/1/timestamp",
    what: `timestamp (${START})`,
    why: "opencode sorts messages by time, so each has a later one, in whole milliseconds",
    severity: "approximated",
  });
});

test("a compaction is a request and an answer with the summary", async () => {
  const { document } = await written([
    { role: "user", id: "msg_1", content: "one", timestamp: START },
    { role: "compaction", id: "msg_2", summary: "So far", firstKeptId: "msg_1", timestamp: START + 1 },
    { role: "user", id: "msg_4", content: "two", timestamp: START + 5 },
  ]);
  const [, request, summary] = document.messages;
  expect(request.parts).toMatchObject([{ type: "compaction", auto: false, tail_start_id: "msg_1" }]);
  expect(summary.info).toMatchObject({ role: "assistant", summary: true, parentID: "msg_2", finish: "stop" });
  expect(summary.parts).toMatchObject([{ type: "text", text: "So far" }]);
});

test("ids of other programs are replaced by ids that opencode accepts", async () => {
  const { document } = await written([
    { role: "session", id: "abc", timestamp: START },
    { role: "user", id: "u1", content: "Hi", timestamp: START },
  ]);
  expect(document.info.id).toMatch(/^ses_[0-9a-f]{26}$/);
  const [{ info, parts }] = document.messages;
  expect(info.id).toMatch(/^msg_[0-9a-f]{26}$/);
  expect(info.sessionID).toBe(document.info.id);
  expect(parts[0].id).toMatch(/^prt_[0-9a-f]{26}_text$/);
});

test("instructions are a field of the prompt after them", async () => {
  const { document, losses } = await written([
    { role: "system", content: "Be brief.", timestamp: START },
    { role: "user", content: "Hi", timestamp: START + 1 },
    { role: "system", content: "Be long.", timestamp: START + 2 },
  ]);
  expect(document.messages).toHaveLength(1);
  expect(document.messages[0].info.system).toBe("Be brief.");
  expect(losses).toContainEqual({
    at: "/2",
    what: "the system message",
    why: "instructions are a field of the prompt after them, and there is none",
    severity: "dropped",
    of: "message",
  });
});

test("results keep the order in which they arrived", async () => {
  const call = (id: string) => ({ type: "toolCall" as const, id, name: "ls", arguments: {} });
  const result = (toolCallId: string) => ({
    role: "toolResult" as const,
    toolCallId,
    toolName: "ls",
    content: [],
    isError: false,
    timestamp: START,
  });
  const { document } = await written([
    { ...answer, content: [call("a"), call("b"), call("c")], stopReason: "toolUse", timestamp: START },
    result("c"),
    result("a"),
  ]);
  expect(document.messages[0].resultOrder).toEqual([1, 0]);
  expect(document.messages[0].parts.map(({ state }: { state: { status: string } }) => state.status)).toEqual([
    "completed",
    "pending",
    "completed",
  ]);
  const { output } = await convert(JSON.stringify(document), { from: "opencode", to: "openclaw" });
  const messages = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages.slice(2).map(({ toolCallId }) => toolCallId)).toEqual(["c", "a"]);
});

test("signatures are where opencode keeps them", async () => {
  const { document, losses } = await written([
    {
      ...answer,
      content: [
        { type: "thinking", thinking: "Hm", thinkingSignature: "c2ln" },
        { type: "thinking", thinking: "", thinkingSignature: "aGlk", redacted: true },
      ],
      stopReason: "stop",
      timestamp: START,
    },
  ]);
  expect(document.messages[0].parts).toMatchObject([
    { type: "reasoning", text: "Hm", metadata: { anthropic: { signature: "c2ln" } } },
    { type: "reasoning", text: "", metadata: { anthropic: { redactedData: "aGlk" } } },
  ]);
  expect(losses.filter(({ what }) => what.includes("ignature"))).toEqual([]);
});

test("the id of a conversation without a session does not depend on the order of fields", () => {
  const ids = [
    encode([], { role: "user", content: [{ type: "file", url: "u", mimeType: "m" }], timestamp: 0 }),
    encode([], { timestamp: 0, content: [{ mimeType: "m", url: "u", type: "file" }], role: "user" }),
  ].map(([header]) => header?.["info"]);
  expect(ids[0]).toEqual(ids[1]);
});
