import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ToolCall } from "../core/types.js";
import { Permissions } from "./permissions.js";
import type { ConversationEvent } from "./types.js";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const call: ToolCall = { type: "toolCall", id: "c1", name: "exec", arguments: {} };
const { signal } = new AbortController();

function asked() {
  const told: ConversationEvent[] = [];
  const permissions = new Permissions((event) => told.push(event));
  const leave = permissions.addApprover();
  const answer = permissions.ask({ call, subject: "ls" }, signal);
  return { told, permissions, leave, answer };
}

test("a question is denied a minute after the last who could answer has left", async () => {
  const { told, permissions, leave, answer } = asked();
  const others = permissions.addApprover();
  leave();
  vi.advanceTimersByTime(600_000);
  expect(permissions.pending.length).toBe(1);
  others();
  vi.advanceTimersByTime(59_999);
  expect(permissions.pending.length).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await answer).toBe("nobody");
  expect(told.at(-1)).toMatchObject({ type: "permission_end", answer: "never" });
});

test("whoever comes back in time can answer", async () => {
  const { permissions, leave, answer } = asked();
  leave();
  vi.advanceTimersByTime(59_999);
  permissions.addApprover();
  vi.advanceTimersByTime(600_000);
  const [request] = permissions.pending;
  expect(permissions.answer(request?.id ?? "", "once")).toBe(true);
  expect(await answer).toBe("once");
});

test("a question that comes when everybody has left, from a helper, waits no longer", async () => {
  const permissions = new Permissions(() => undefined);
  const answer = permissions.ask({ call }, signal);
  vi.advanceTimersByTime(60_000);
  expect(await answer).toBe("nobody");
});
