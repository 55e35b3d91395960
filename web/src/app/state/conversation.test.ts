import type { RpcStored } from "dragoman/client";
import { type AgentMessage, emptyUsage, type UserMessage } from "dragoman/core";
import { describe, expect, test } from "vitest";
import {
  type Conversation,
  conversationOf,
  lastUserMessage,
  refused,
  shownIdOf,
  shownMessages,
  withEvent,
  withOlder,
  withOutgoing,
  withoutOutgoing,
} from "./conversation.js";

const user = (id: string, key?: string): UserMessage => ({
  role: "user",
  id,
  content: id,
  timestamp: 1,
  ...(key === undefined ? {} : { ext: { sent: { idempotencyKey: key, runId: "r" } } }),
});
const inbox = (message: UserMessage): AgentMessage => ({
  role: "custom",
  id: `note-${message.id}`,
  customType: "dragoman/inbox",
  data: { message },
  timestamp: 1,
});
const answer: AgentMessage = {
  role: "assistant",
  id: "answer",
  content: [],
  api: "",
  provider: "",
  model: "",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 2,
};
const at = (position: number, message: AgentMessage): RpcStored => ({
  position,
  next: position + 10,
  message,
});
const stored = (position: number, message: AgentMessage) => ({
  type: "message" as const,
  ...at(position, message),
});
const page = (entries: RpcStored[], start: number) => ({
  sessionKey: "s",
  messages: entries,
  start,
  end: entries.at(-1)?.next ?? start,
  more: start > 0,
});
const empty = conversationOf(page([], 0));
const ids = ({ entries }: Conversation) => entries.map(({ message }) => message.id);
const waiting = ({ queued }: Conversation) => queued.map(({ id }) => id);

test("older pages come before, and what happens comes behind", () => {
  const last = conversationOf(page([at(20, user("c"))], 20));
  expect(last.hasOlder).toBe(true);
  const whole = withOlder(last, page([at(0, user("a")), at(10, user("b"))], 0));
  const grown = withEvent(whole, stored(30, answer));
  expect(ids(grown)).toEqual(["a", "b", "c", "answer"]);
  expect([grown.start, grown.hasOlder]).toEqual([0, false]);
});

describe("what is said here", () => {
  test("is shown at once, until it is stored", () => {
    const said = withOutgoing(empty, { key: "k1", content: "Hi", timestamp: 1 });
    expect(said.outbox.map(({ content }) => content)).toEqual(["Hi"]);
    const kept = withEvent(said, stored(0, user("m1", "k1")));
    expect(kept.outbox).toEqual([]);
    expect(ids(kept)).toEqual(["m1"]);
  });

  test("stays when it was refused, with the reason, and can be sent again or withdrawn", () => {
    const no = refused(
      withOutgoing(empty, { key: "k1", content: "Hi", timestamp: 1 }),
      "k1",
      "The disk is full.",
    );
    expect(no.outbox).toEqual([{ key: "k1", content: "Hi", timestamp: 1, refused: "The disk is full." }]);
    const again = withOutgoing(no, { key: "k1", content: "Hi", timestamp: 2 });
    expect(again.outbox).toEqual([{ key: "k1", content: "Hi", timestamp: 2 }]);
    expect(withoutOutgoing(again, "k1").outbox).toEqual([]);
  });

  test("while the agent works waits in the queue until it is taken", () => {
    const said = withOutgoing(empty, { key: "k2", content: "more", timestamp: 1 });
    const queued = withEvent(said, stored(0, inbox(user("m2", "k2"))));
    expect([queued.outbox, waiting(queued)]).toEqual([[], ["m2"]]);
    expect(waiting(withEvent(queued, stored(10, user("m2", "k2"))))).toEqual([]);
  });
});

describe("the queue", () => {
  test("is found in pages that were loaded", () => {
    const entries = [at(0, inbox(user("a"))), at(10, user("a")), at(20, inbox(user("b")))];
    expect(waiting(conversationOf(page(entries, 0)))).toEqual(["b"]);
  });

  test("an older page does not bring back what was taken in a younger one", () => {
    const young = conversationOf(page([at(20, user("a"))], 20));
    expect(waiting(withOlder(young, page([at(10, inbox(user("a")))], 10)))).toEqual([]);
  });

  test("messages that became one are all taken by it", () => {
    const two = [at(0, inbox(user("a"))), at(10, inbox(user("b")))];
    const collected = { ...user("a"), ext: { collected: [{ id: "a" }, { id: "b" }] } };
    expect(waiting(withEvent(conversationOf(page(two, 0)), stored(20, collected)))).toEqual([]);
  });
});

describe("a run", () => {
  const running = withEvent(empty, { type: "run_start", runId: "r1" });
  const step = { runId: "r1", toolCallId: "c1", toolName: "exec" };
  const request = {
    id: "p1",
    toolCall: { type: "toolCall" as const, id: "c1", name: "exec", arguments: {} },
    asked: 1000,
    expires: 2000,
  };

  test("has tools and questions, which end", () => {
    const start = { type: "tool_execution_start" as const, ...step, args: {} };
    const busy = withEvent(running, start);
    expect([...busy.tools]).toEqual([["c1", "exec"]]);
    const update = { type: "tool_execution_update" as const, ...step, partialResult: "…" };
    expect(withEvent(busy, update)).toBe(busy);
    const end = { type: "tool_execution_end" as const, ...step, result: {}, isError: false };
    expect(withEvent(busy, end).tools.size).toBe(0);
    const asked = withEvent(busy, { type: "permission", state: "asked", request });
    expect(asked.permissions).toEqual([request]);
    expect(withEvent(asked, { type: "permission", state: "answered", id: "p1" }).permissions).toEqual([]);
  });

  test("leaves only its questions when it ends, which a restart keeps open", () => {
    const asked = withEvent(running, { type: "permission", state: "asked", request });
    const over = withEvent(asked, { type: "run_end", runId: "r1", outcome: "unknown" });
    expect([over.runId, over.permissions, over.tools.size]).toEqual([undefined, [request], 0]);
  });
});

describe("what is shown", () => {
  const status = (id: string): AgentMessage => ({ role: "status", id, state: "busy", timestamp: 1 });
  const call = { type: "toolCall" as const, id: "c1", name: "read", arguments: {} };
  const calling: AgentMessage = { ...answer, id: "calling", content: [call] };
  const result: AgentMessage = {
    role: "toolResult",
    id: "result",
    toolCallId: "c1",
    toolName: "read",
    content: [],
    isError: false,
    timestamp: 3,
  };
  const all = conversationOf(
    page([at(0, user("a")), at(10, status("s1")), at(20, calling), at(30, result), at(40, status("s2"))], 0),
  );

  test("status lines only until something else is said", () => {
    expect(shownMessages(all.entries).map(({ id }) => id)).toEqual(["a", "calling", "result", "s2"]);
  });

  test("a result is found where its call is", () => {
    expect([shownIdOf(all, "result"), shownIdOf(all, "a"), shownIdOf(all, "elsewhere")]).toEqual([
      "calling",
      "a",
      undefined,
    ]);
  });

  test("the last that was said, and where", () => {
    expect(lastUserMessage(all)).toEqual({ message: user("a"), position: 0 });
    expect(lastUserMessage(empty)).toBeUndefined();
  });
});
