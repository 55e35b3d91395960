import { expect, test } from "vitest";
import { DragomanError, ERROR_CODES } from "./error.js";

test("the codes are these", () => {
  expect([...ERROR_CODES].sort()).toEqual([
    "agent/max-turns",
    "agent/not-compacted",
    "agent/not-stored",
    "cli/no-file",
    "cli/not-readable",
    "cli/not-writable",
    "cli/usage",
    "cline/version",
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
    "json/bad-pointer",
    "json/syntax",
    "json/too-deep",
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
