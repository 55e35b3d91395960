import { expect, test } from "vitest";
import { check } from "./check.js";

const i = "01JHN5Y1J0A7Q3ZK5T9V2XWB4C";
const t = "2025-01-15T14:30:00.000Z";

test.each([
  [{ i, t, v: { type: "user", content: "Hi" } }, []],
  [{ i, t, v: { type: "x-mine" } }, []],
  [{ i, t, v: { type: "tool_result", toolCallId: "c", status: "success" } }, []],
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
