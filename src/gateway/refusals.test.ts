import { expect, test } from "vitest";
import { DragomanError } from "../core/error.js";
import { refusalOf, verdictOf } from "./refusals.js";
import { rpcError } from "./rpc/failure.js";

test.each([
  ["log/bad-key", { status: 400, reason: "invalid_request" }],
  ["log/deleted", { status: 404, reason: "not_found" }],
  ["log/read-only", { status: 409, reason: "conflict" }],
  ["log/locked", { status: 503, reason: "service_unavailable" }],
  ["config/invalid", undefined],
  ["constructor", undefined],
])("what %s means to whoever asked", (code, verdict) => {
  expect(verdictOf(code)).toEqual(verdict);
});

test("an error that its sender can do something about is told in its words, another is not told", () => {
  const known = new DragomanError("log/no-session", "there is no session x", { hint: "list them" });
  expect(refusalOf(known)).toMatchObject({
    status: 404,
    message: "there is no session x",
    details: { code: "log/no-session", hint: "list them" },
  });
  for (const inside of [new DragomanError("config/invalid", "a path"), new Error("a path"), "a path"]) {
    expect(refusalOf(inside)).toEqual({
      status: 500,
      reason: "server_error",
      message: "something went wrong; the gateway's log has the details under this request's id",
    });
  }
});

test("a run that cannot store a message is told by the reason for that, such as a full disk", () => {
  const full = new DragomanError("log/disk-full", "the disk is full", { hint: "make room" });
  const wrapped = new DragomanError("agent/not-stored", "a message could not be stored", { cause: full });
  expect(refusalOf(wrapped)).toMatchObject({
    status: 503,
    reason: "service_unavailable",
    message: "the disk is full",
    details: { code: "log/disk-full", hint: "make room" },
  });
  expect(rpcError(wrapped)).toEqual({
    code: -32006,
    message: "the disk is full",
    data: { code: "log/disk-full", hint: "make room" },
  });
  expect(rpcError(new DragomanError("agent/not-stored", "a path", { cause: new Error() }))).toBeUndefined();
});
