import { expect, test } from "vitest";
import type { Result, RpcAgentStep, RpcPermissionRequest } from "../protocol/schema.js";
import { Watch, type WatchEvent } from "./watch.js";

const sessionKey = "agent:main:main";
const request = (id: string): RpcPermissionRequest => ({
  id,
  toolCall: { type: "toolCall", id: "c1", name: "exec", arguments: {} },
  asked: 1000,
  expires: 2000,
});

/** What the server says of the session when somebody subscribes. */
function answer(more: Partial<Result<"chat.subscribe">> = {}): Result<"chat.subscribe"> {
  return {
    sessionKey,
    id: "s1",
    messages: [],
    live: true,
    cursor: { position: 9 },
    permissions: [],
    ...more,
  };
}

async function join(watch: Watch, subscribed: Result<"chat.subscribe">): Promise<void> {
  await watch.join(async (_, onResult) => {
    onResult(subscribed);
    return subscribed;
  });
}

function agentEvent(watch: Watch, seq: number, data: RpcAgentStep): void {
  watch.accept({ event: "agent", data: { sessionKey, runId: "r1", seq, stream: "assistant", data } });
}

async function seen(watch: Watch): Promise<WatchEvent[]> {
  watch.queue.end();
  const events: WatchEvent[] = [];
  for await (const event of watch.queue) events.push(event);
  return events;
}

const begun = { type: "message_start", message: { role: "assistant", id: "m1" } } as const;
const hello = {
  type: "message_update",
  assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: "hello" },
} as const;

test.each([
  ["is told twice", 3, "event 3 of run r1 follows event 3"],
  ["is left out", 5, "event 5 of run r1 follows event 3"],
])("an event that %s is refused, and shown no further", async (_, seq, message) => {
  const watch = new Watch(sessionKey, {}, () => undefined);
  await join(watch, answer());
  agentEvent(watch, 1, { type: "run_start" });
  agentEvent(watch, 2, begun);
  agentEvent(watch, 3, hello);
  expect(() => agentEvent(watch, seq, hello)).toThrow(
    expect.objectContaining({ code: "client/bad-frame", message }),
  );
  expect(await seen(watch)).toEqual([
    { type: "connection", state: "open" },
    { type: "run_start", runId: "r1" },
    { runId: "r1", ...begun },
    { runId: "r1", ...hello },
  ]);
});

test("a question that was answered while the connection was lost is told to be", async () => {
  const watch = new Watch(sessionKey, { asks: true }, () => undefined);
  await join(watch, answer({ permissions: [request("q1"), request("q2")] }));
  watch.lost();
  await join(watch, answer({ permissions: [request("q2"), request("q3")] }));
  expect(await seen(watch)).toEqual([
    { type: "connection", state: "open" },
    { type: "permission", state: "asked", request: request("q1") },
    { type: "permission", state: "asked", request: request("q2") },
    { type: "connection", state: "lost" },
    { type: "connection", state: "open" },
    { type: "permission", state: "answered", id: "q1" },
    { type: "permission", state: "asked", request: request("q3") },
  ]);
});
