import type { RpcStored } from "dragoman/client";
import { type AgentMessage, emptyUsage, type StopReason } from "dragoman/core";
import { expect, test } from "vitest";
import { failedAttempts, withoutAttempts } from "./attempts.js";

const stored = (...messages: AgentMessage[]): RpcStored[] =>
  messages.map((message, position) => ({ message, position, next: position + 1 }));
const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });
const answer = (stopReason: StopReason): AgentMessage => ({
  role: "assistant",
  content: [],
  ...{ api: "messages", provider: "p", model: "m", usage: emptyUsage(), stopReason, timestamp: 1 },
});

test("attempts that failed and were repeated are found at the last repetition", () => {
  const entries = stored(user("a"), answer("error"), user("a"), answer("aborted"), user("a"), answer("stop"));
  const attempts = failedAttempts(entries);
  const last = entries[4]?.message;
  expect([...attempts.keys()]).toEqual([last]);
  expect(last && attempts.get(last)).toEqual([entries.slice(0, 2), entries.slice(2, 4)]);
  expect(withoutAttempts(entries, attempts)).toEqual(entries.slice(4));
});

test("a request that was answered, or another request, is not an attempt", () => {
  const answered = stored(user("a"), answer("stop"), user("a"), answer("stop"));
  expect(failedAttempts(answered).size).toBe(0);
  expect(failedAttempts(stored(user("a"), answer("error"), user("b"))).size).toBe(0);
});
