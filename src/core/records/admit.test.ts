import { describe, expect, test } from "vitest";
import type { TextContent } from "../types.js";
import { admit, claim, release } from "./admit.js";

const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    "a whole message is the message",
    { role: "user", content: "x", timestamp: 5, extra: 1 },
    { role: "user", content: "x", timestamp: 5, extra: 1 },
  ],
  [
    "what is missing is filled in and noted",
    { role: "user", content: "x" },
    {
      role: "user",
      content: "x",
      timestamp: 0,
      ext: { synthesised: ["/timestamp"], d: { absent: ["/timestamp"] } },
    },
  ],
  [
    "what is missing further down, too",
    {
      role: "assistant",
      content: [],
      api: "a",
      provider: "p",
      model: "m",
      usage: {
        input: 1,
        output: 2,
        cacheRead: 0,
        cacheWrite: 0,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason: "stop",
      timestamp: 1,
    },
    {
      role: "assistant",
      content: [],
      api: "a",
      provider: "p",
      model: "m",
      usage: {
        input: 1,
        output: 2,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 0,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason: "stop",
      timestamp: 1,
      ext: { synthesised: ["/usage/totalTokens"], d: { absent: ["/usage/totalTokens"] } },
    },
  ],
  [
    "null content is an empty list",
    { role: "user", content: null, timestamp: 1 },
    { role: "user", content: [], timestamp: 1, ext: { d: { was: { "/content": null } } } },
  ],
  [
    "a block nobody knows is opaque",
    { role: "user", content: [{ type: "hologram", depth: 3 }], timestamp: 1 },
    {
      role: "user",
      content: [{ type: "opaque", dialect: "d", value: { type: "hologram", depth: 3 } }],
      timestamp: 1,
    },
  ],
  [
    "a block that says it is opaque for this dialect is wrapped again",
    { role: "user", content: [{ type: "opaque", dialect: "d", value: 1 }], timestamp: 1 },
    {
      role: "user",
      content: [{ type: "opaque", dialect: "d", value: { type: "opaque", dialect: "d", value: 1 } }],
      timestamp: 1,
    },
  ],
  [
    "what others noted stays",
    { role: "user", content: "x", ext: { synthesised: ["/content"], cline: { a: 1 }, d: { own: 2 } } },
    {
      role: "user",
      content: "x",
      timestamp: 0,
      ext: {
        synthesised: ["/content", "/timestamp"],
        cline: { a: 1 },
        d: { own: 2, absent: ["/timestamp"] },
      },
    },
  ],
  [
    "what looks like our own notes is not taken for them",
    { role: "user", content: "x", timestamp: 1, ext: { cline: { a: 1 }, d: { absent: ["/content"] } } },
    {
      role: "user",
      content: "x",
      timestamp: 1,
      ext: {
        cline: { a: 1 },
        d: { was: { "/ext": { cline: { a: 1 }, d: { absent: ["/content"] } } } },
      },
    },
  ],
  [
    "a field that was called synthesised and is not there",
    { role: "user", content: "x", ext: { synthesised: ["/timestamp"] } },
    {
      role: "user",
      content: "x",
      timestamp: 0,
      ext: {
        synthesised: ["/timestamp", "/timestamp"],
        d: { absent: ["/timestamp"], was: { "/ext": { synthesised: ["/timestamp"] } } },
      },
    },
  ],
  [
    "notes about nothing",
    { role: "user", content: "x", ext: {} },
    {
      role: "user",
      content: "x",
      timestamp: 0,
      ext: { synthesised: ["/timestamp"], d: { absent: ["/timestamp"], was: { "/ext": {} } } },
    },
  ],
  ["a role of somebody's own passes", { role: "note", text: "x" }, { role: "note", text: "x" }],
  ["a role called toString passes", { role: "toString", note: 1 }, { role: "toString", note: 1 }],
  ["a role called __proto__ passes", { role: "__proto__", note: 1 }, { role: "__proto__", note: 1 }],
];

describe("admit, and release as its inverse", () => {
  test.each(cases)("%s", (_, record, message) => {
    const admitted = admit(record, "d");
    expect(admitted).toEqual(message);
    expect(release(admitted, "d")).toEqual(record);
  });

  test("what is a message as it stands is not copied", () => {
    const record = { role: "user", content: [{ type: "text", text: "x" }], timestamp: 5, ext: { other: {} } };
    const message = admit(record, "d");
    expect(message).toBe(record);
    const { ext: _, ...plain } = message;
    expect(release(plain, "d")).toBe(plain);
  });

  test("the record is left as it was", () => {
    const record = { role: "user", content: [{ type: "x" }] };
    admit(record, "d");
    expect(record).toEqual({ role: "user", content: [{ type: "x" }] });
  });
});

test.each([
  [
    "no role",
    { content: "x" },
    "/3",
    'expected a property "role", found an object with content, timestamp, ext',
  ],
  ["a wrong type", { role: "user", content: 1 }, "/3/content", "expected string or array, found 1"],
  [
    "an ext that is none beside something missing",
    { role: "user", content: "x", ext: 1 },
    "/3/ext",
    "expected object, found 1",
  ],
  [
    "a list in ext that is none",
    { role: "user", content: "x", ext: { synthesised: 1.5 } },
    "/3/ext/synthesised",
    "expected array, found 1.5",
  ],
  [
    "text that is none",
    { role: "user", content: [{ type: "text" }] },
    "/3/content/0",
    'expected a property "text", found an object with type',
  ],
])("%s is refused", (_, record, at, message) => {
  expect(() => admit(record, "d", "/3")).toThrow(
    expect.objectContaining({ code: "model/invalid", at, message }),
  );
});

test("a block stays opaque if it would not be read as opaque without", () => {
  const block = { type: "opaque" as const, dialect: "d", value: { type: "opaque" } };
  const message = { role: "user" as const, content: [block], timestamp: 1 };
  expect(release(message, "d")).toEqual(message);
});

test("a claim keeps what anybody noted, even under __proto__", () => {
  const ext = JSON.parse('{"synthesised":["/id"],"__proto__":{"a":1}}');
  const claimed = claim({ role: "user" as const, content: "x", timestamp: 1, ext }, ["/id"]);
  expect(JSON.stringify(claimed.ext)).toBe('{"__proto__":{"a":1}}');
});

test("a field that was filled in is written once it is claimed", () => {
  const message = admit({ role: "toolResult", content: [] }, "openclaw");
  expect(release(message, "openclaw")).toEqual({ role: "toolResult", content: [] });
  const claimed = claim({ ...message, toolCallId: "c1" }, ["/toolCallId"]);
  expect(claimed.ext).toEqual({
    synthesised: ["/toolName", "/isError", "/timestamp"],
    openclaw: { absent: ["/toolName", "/isError", "/timestamp"] },
  });
  expect(release(claimed, "openclaw")).toEqual({ role: "toolResult", content: [], toolCallId: "c1" });
});

test("what was there is not touched", () => {
  const ext = { synthesised: ["/timestamp"], cline: { a: 1, absent: ["id"] } };
  const message = admit({ role: "user", content: "x", timestamp: 1, ext }, "openclaw");
  expect(claim(message, ["/toolCallId"])).toEqual(message);
  const block: TextContent = { type: "text", text: "a block" };
  expect(claim(block, ["id"])).toBe(block);
});
