import { expect, test } from "vitest";
import { newId } from "../../core/ids.js";
import { sessionOfThread, threadId, threadOfSession } from "./thread-id.js";

test.each([
  ["00000000000000000000000000", "00000000-0000-0000-0000-000000000000"],
  ["01M7FZAGPAA92PWG53EAA6M000", "01a1dff5-42ca-5245-6e40-a372946a0000"],
  ["7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
])("the session %s is the thread %s", (session, thread) => {
  expect(threadOfSession(session)).toBe(thread);
  expect(sessionOfThread(thread)).toBe(session);
  expect(threadId(thread)).toBe(thread);
});

test("ids come back from any session", () => {
  for (let count = 0; count < 200; count++) {
    const session = newId();
    expect(sessionOfThread(threadOfSession(session))).toBe(session);
  }
});

test("a client may write an id in capitals, and what is no UUID is no id", () => {
  expect(threadId("01A1DFF5-42CA-5245-6E40-A372946A0000")).toBe("01a1dff5-42ca-5245-6e40-a372946a0000");
  expect(threadId("01a1dff5-42ca-5245-6e40-a372946a00000")).toBeUndefined();
  expect(threadId("x01a1dff5-42ca-5245-6e40-a372946a0000")).toBeUndefined();
});
