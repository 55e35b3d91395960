import { expect, test } from "vitest";
import { framing } from "./framing.js";

if (framing.kind !== "document") throw new Error("a Cline file is one document");
const { split, join, pointer } = framing;

test("the keys of a file stand in Cline's order, unknown ones last", () => {
  const header = {
    system_prompt: "Be brief.",
    later: 1,
    origin: {},
    taskType: "t",
    sessionId: "s",
    agent: "lead",
    updated_at: "",
    version: 1,
  };
  expect(Object.keys(Object(join([header, { id: "m", role: "user", content: [] }])))).toEqual([
    "version",
    "updated_at",
    "agent",
    "sessionId",
    "taskType",
    "origin",
    "messages",
    "system_prompt",
    "later",
  ]);
});

test("the header and the messages are records, each with its place", () => {
  const message = { id: "m", role: "user", content: [] };
  expect(split({ version: 1, messages: [message], sessionId: "s" })).toEqual([
    { version: 1, sessionId: "s" },
    message,
  ]);
  expect([0, 1, 2].map(pointer)).toEqual(["", "/messages/0", "/messages/1"]);
});

test("records without a header get one", () => {
  expect(join([])).toEqual({
    version: 1,
    updated_at: "1970-01-01T00:00:00.000Z",
    agent: "lead",
    sessionId: "session",
    messages: [],
  });
});

test("an unknown version is named", () => {
  expect(() => split({ version: "1.5", messages: [] })).toThrow(
    'unknown version "1.5"; only version 1 is supported',
  );
});

test("messages that came with one id keep it", () => {
  const message = { id: "msg_0123456789abcdef", role: "user", content: [] };
  expect(join([{ version: 1 }, message, message])).toEqual({ version: 1, messages: [message, message] });
});

test("a version that is nested deeply is refused like any other", () => {
  let version: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) version = { version };
  expect(() => split({ version, messages: [] })).toThrow(
    "unknown version an object; only version 1 is supported",
  );
});
