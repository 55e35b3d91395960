import { expect, test } from "vitest";
import { check } from "./check.js";

const i = "01JHN5Y1J0A7Q3ZK5T9V2XWB4C";
const t = "2025-01-15T14:30:00.000Z";

test.each([
  [{ i, t, v: { type: "user", content: "Hi" } }, []],
  [{ i, t, v: { type: "x-mine" } }, []],
  [{ i, t, v: { type: "tool_result", toolCallId: "c", status: "success", output: null } }, []],
  [
    { i, t, v: { type: "tool_result", toolCallId: "c", status: "success" } },
    [["/0/v", "timbal/no-output", "warning"]],
  ],
  [{ i, t, v: { type: "user", content: "Hi", sender: 5 } }, [["/0/v/sender", "timbal/field-type", "error"]]],
  [{ i, t, v: { type: "x-mine", sender: null } }, [["/0/v/sender", "timbal/field-type", "error"]]],
  [
    { i, t, v: { type: "error", content: "No.", code: 5, recoverable: "yes" } },
    [
      ["/0/v/code", "timbal/field-type", "error"],
      ["/0/v/recoverable", "timbal/field-type", "error"],
    ],
  ],
  [
    { i, t, v: { type: "status", state: "busy", detail: {} } },
    [["/0/v/detail", "timbal/field-type", "error"]],
  ],
  [{ i, t, v: { type: "agent_complete", agentId: "a", result: 7 } }, []],
  [{ i, t, v: { type: "agent_message", senderId: "a", payload: {} } }, []],
  [
    { i, t, v: { type: "agent_message", senderId: "a", payload: 7, replyTo: 8 } },
    [
      ["/0/v/payload", "timbal/field-type", "warning"],
      ["/0/v/replyTo", "timbal/field-type", "error"],
    ],
  ],
  [{ i, t, v: { type: "x-dragoman-empty" } }, []],
  [{ i: "m1", t, v: { type: "x-mine" } }, [["/0/i", "timbal/id", "warning"]]],
  [{ i, v: { type: "x-mine" } }, [["/0", "timbal/no-time", "warning"]]],
  [{ i, t: "2025-01-15T14:30:00Z", v: { type: "x-mine" } }, [["/0/t", "timbal/time", "warning"]]],
  [{ i, t: "yesterday", v: { type: "x-mine" } }, [["/0/t", "timbal/time", "error"]]],
  [{ i, t, v: { content: "Hi" } }, [["/0/v", "timbal/no-type", "error"]]],
  [{ i, t, v: { type: "approval" } }, [["/0/v/type", "timbal/unknown-type", "warning"]]],
  [{ i, t, v: { type: "constructor" } }, [["/0/v/type", "timbal/unknown-type", "warning"]]],
  [{ i, t, v: { type: "status", detail: "x" } }, [["/0/v", "timbal/missing-field", "error"]]],
  [
    { i, t, v: { type: "tool_call", toolCallId: "c", name: "n", arguments: "{}" } },
    [["/0/v/arguments", "timbal/arguments-text", "error"]],
  ],
  [
    { i, t, v: { type: "tool_result", toolCallId: "c", status: "cancelled" } },
    [["/0/v/status", "timbal/status", "error"]],
  ],
  [
    { i, t, v: { type: "tool_result", toolCallId: "c", status: "error", error: {} } },
    [["/0/v", "timbal/no-error", "warning"]],
  ],
])("%j", (record, found) => {
  expect(check([record]).map(({ at, code, severity }) => [at, code, severity])).toEqual(found);
});
