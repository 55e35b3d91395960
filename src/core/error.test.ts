import { expect, test } from "vitest";
import { DragomanError, ERROR_CODES } from "./error.js";

test("the codes are these", () => {
  expect([...ERROR_CODES].sort()).toEqual([
    "agent/length-limit",
    "agent/max-turns",
    "agent/not-compacted",
    "agent/not-stored",
    "channel/bad-people",
    "channel/bad-settings",
    "channel/file-too-large",
    "channel/no-account",
    "channel/no-client",
    "channel/no-code",
    "channel/no-file",
    "channel/refused",
    "channel/unreachable",
    "cli/no-file",
    "cli/not-readable",
    "cli/not-writable",
    "cli/usage",
    "client/bad-frame",
    "client/closed",
    "client/disconnected",
    "client/refused",
    "client/watched",
    "cline/version",
    "config/invalid",
    "config/no-agent",
    "config/no-tool",
    "convert/bad-escrow",
    "convert/no-leaf",
    "convert/undetected",
    "convert/unknown-dialect",
    "events/after-end",
    "events/wrong-block",
    "framing/bad-field",
    "framing/event-too-long",
    "framing/invalid-utf8",
    "framing/line-too-long",
    "gateway/bad-tokens",
    "gateway/cannot-listen",
    "gateway/no-token",
    "gateway/port-in-use",
    "json/bad-pointer",
    "json/syntax",
    "json/too-deep",
    "log/ambiguous",
    "log/bad-agent",
    "log/bad-key",
    "log/bad-line",
    "log/bad-position",
    "log/closed",
    "log/deleted",
    "log/disk-full",
    "log/foreign",
    "log/locked",
    "log/moved",
    "log/no-index",
    "log/no-message",
    "log/no-session",
    "log/read-only",
    "log/replaced",
    "log/unreadable",
    "log/write-failed",
    "model/invalid",
    "provider/bad-response",
    "provider/context-overflow",
    "provider/failed",
    "provider/http",
    "provider/network",
    "provider/no-key",
    "provider/quota",
    "provider/unknown",
    "stream/stalled",
    "tools/bad-edit",
    "tools/bad-path",
    "tools/changed",
    "tools/failed",
    "tools/not-a-file",
    "tools/not-found",
    "tools/not-text",
    "tools/outside-workspace",
    "tools/too-large",
  ]);
});

test("an error carries what is wrong, where, what to do, and what caused it", () => {
  const cause = new Error("inner");
  const error = new DragomanError("json/syntax", "expected a value", {
    at: "/0/content",
    line: 3,
    column: 14,
    hint: "remove the comma",
    cause,
  });
  expect(error).toBeInstanceOf(Error);
  expect({ ...error }).toEqual({
    name: "DragomanError",
    code: "json/syntax",
    at: "/0/content",
    line: 3,
    column: 14,
    hint: "remove the comma",
  });
  expect(error.message).toBe("expected a value");
  expect(error.cause).toBe(cause);
});

test("an error without a place has no place", () => {
  expect(Object.keys(new DragomanError("cli/usage", "x"))).toEqual(["name", "code"]);
});
