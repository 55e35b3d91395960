import { expect, test } from "vitest";
import { noteMessage } from "../../../core/message/notes.js";
import type { AgentMessage } from "../../../core/types.js";
import { MemoryLog } from "../../../log/memory/memory-log.js";
import { StoredSession } from "./stored-session.js";

const said = (id: string, parentId: string | null): AgentMessage => ({
  role: "user",
  content: id,
  id,
  parentId,
  timestamp: 1,
});

const answer = (id: string, parentId: string): AgentMessage => ({
  role: "assistant",
  content: [{ type: "text", text: id }],
  api: "x",
  provider: "x",
  model: "x",
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  id,
  parentId,
  timestamp: 1,
});

async function stored(...messages: AgentMessage[]): Promise<StoredSession> {
  const log = await new MemoryLog().create({ agent: "responses-api" });
  await log.append(messages);
  return StoredSession.read(log);
}

const ids = (messages: readonly AgentMessage[]) => messages.map(({ id }) => id);

test("the history of an answer is its branch, in whatever order the branches were stored", async () => {
  const session = await stored(
    said("a", null),
    answer("A", "a"),
    said("b", "A"),
    said("c", "A"),
    answer("C", "c"),
    answer("B", "b"),
  );
  expect(ids(session.historyOf("B"))).toEqual(["a", "A", "b", "B"]);
  expect(ids(session.historyOf("C"))).toEqual(["a", "A", "c", "C"]);
});

test("the history of an agent's answer ends before the next message of the user", async () => {
  const session = await stored(said("a", null), answer("A", ""), answer("A2", ""), said("b", null));
  expect(ids(session.historyOf("a"))).toEqual(["a", "A", "A2"]);
  expect(ids(session.historyOf("b"))).toEqual(["a", "A", "A2", "b"]);
});

test("a message that is its own ancestor does not end the process", async () => {
  const session = await stored(answer("A", "B"), answer("B", "A"));
  expect(ids(session.historyOf("B"))).toEqual(["A", "B"]);
});

test("notes are read, and are not messages; of conversations the last one counts", async () => {
  const note = (metadata: object) =>
    noteMessage({ type: "dragoman/conversation", data: { token: "T", metadata: { ...metadata } } }, 1);
  const session = await stored(
    note({ a: "1" }),
    said("a", null),
    noteMessage({ type: "dragoman/deleted", data: { ids: ["x", "y"] } }, 1),
    note({ b: "2" }),
  );
  expect(ids(session.messages)).toEqual(["a"]);
  expect(session.conversation).toEqual({ token: "T", metadata: { b: "2" } });
  expect([...session.deleted]).toEqual(["x", "y"]);
});
