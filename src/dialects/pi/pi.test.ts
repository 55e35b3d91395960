import { describe, expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import { instantOf } from "../../core/time.js";
import type { AgentMessage } from "../../core/types.js";
import { check } from "./check.js";
import { detect } from "./detect.js";
import { encode } from "./encode.js";
import { isSpelling, spellTime } from "./time.js";

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const recordsOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const user = (content: string, more: object = {}) => ({
  role: "user" as const,
  content,
  timestamp: 1_767_603_601_000,
  ...more,
});
const TIME = "2026-01-05T09:00:01.000Z";

const headerAdded = {
  of: "message",
  at: "",
  what: "a session message",
  why: "pi has one here",
  severity: "synthesised",
};

describe("the header", () => {
  const derived = { type: "session", id: "session", timestamp: "1970-01-01T00:00:00.000Z", cwd: "" };

  test("of a linear conversation has no version: pi gives such entries their ids", async () => {
    const { output, losses } = await convert(lines(user("a"), user("b", { id: "x" })), {
      from: "openclaw",
      to: "pi",
    });
    expect(recordsOf(output)).toEqual([
      derived,
      { type: "message", timestamp: TIME, message: user("a") },
      { type: "message", id: "x", timestamp: TIME, message: user("b") },
    ]);
    expect(losses).toEqual([headerAdded]);
  });

  test("of a tree says version 3: pi takes its ids as they are", async () => {
    const tree = lines(user("a", { id: "r", parentId: null }), user("b", { id: "s", parentId: "r" }));
    const { output, losses } = await convert(tree, { from: "openclaw", to: "pi" });
    expect(recordsOf(output)).toEqual([
      { ...derived, version: 3 },
      { type: "message", id: "r", parentId: null, timestamp: TIME, message: user("a") },
      { type: "message", id: "s", parentId: "r", timestamp: TIME, message: user("b") },
    ]);
    expect(losses).toEqual([headerAdded]);
    const back = await convert(output, { from: "pi", to: "openclaw" });
    expect(back.output).toContain(tree);
  });

  test("that had to be given a version is in the ledger", async () => {
    const session = { role: "session", id: "s", timestamp: 0 };
    const { output, losses } = await convert(lines(session, user("a", { id: "r", parentId: null })), {
      from: "openclaw",
      to: "pi",
    });
    expect(recordsOf(output)[0]).toEqual({
      type: "session",
      version: 3,
      id: "s",
      timestamp: "1970-01-01T00:00:00.000Z",
      cwd: "",
    });
    expect(losses).toEqual([
      {
        at: "/0",
        what: "ext",
        why: "a header before a tree must state its version",
        severity: "synthesised",
      },
    ]);
  });

  test("that was lost is written again", async () => {
    const entry = { type: "message", timestamp: TIME, message: user("a") };
    const { output } = await convert(lines(entry), { to: "pi" });
    expect(recordsOf(output)).toEqual([derived, entry]);
  });

  test("of nothing at all", () => expect(encode([])).toEqual([derived]));
});

describe("the conversation", () => {
  const says = (text: string, id: string, parentId: string | null) => ({
    type: "message",
    id,
    parentId,
    timestamp: TIME,
    message: user(text),
  });
  const note = (type: string, parentId: string, fields: object) => ({
    type,
    id: "n",
    parentId,
    timestamp: TIME,
    ...fields,
  });
  const tree = [
    { type: "session", version: 3, id: "s", timestamp: TIME, cwd: "" },
    says("root", "r", null),
    says("left", "a", "r"),
    says("right", "b", "r"),
  ];

  test.each<[string, object[], string[]]>([
    ["ends with the last entry", [], ["root", "right"]],
    ["is not chosen by a label", [note("label", "b", { targetId: "a", label: "keep" })], ["root", "right"]],
    ["is where a leaf says", [note("leaf", "b", { targetId: "a" })], ["root", "left"]],
    ["begins anew after a leaf that says null", [note("leaf", "b", { targetId: null })], []],
    [
      "is not where an earlier leaf said",
      [note("leaf", "b", { targetId: "a" }), says("more", "c", "a"), says("other", "d", "b")],
      ["root", "right", "other"],
    ],
    ["is not moved by a leaf without a target", [note("leaf", "b", {})], ["root", "right"]],
  ])("%s", async (_, more, expected) => {
    const { output } = await convert(lines(...tree, ...more), { from: "pi", to: "clawtools" });
    expect(JSON.parse(output).flatMap((message: { content?: unknown }) => message.content ?? [])).toEqual(
      expected,
    );
  });

  test("is the same in openclaw, and the leaf comes back as it was", async () => {
    const source = lines(...tree, note("leaf", "b", { targetId: "a", extra: 1 }));
    const there = await convert(source, { from: "pi", to: "openclaw" });
    expect(recordsOf(there.output).at(-1)).toEqual({
      role: "custom",
      customType: "pi/leaf",
      data: { extra: 1 },
      id: "n",
      parentId: "a",
      timestamp: 1_767_603_601_000,
      ext: { pi: { parentId: "b" } },
    });
    const { output } = await convert(there.output, { from: "openclaw", to: "pi" });
    expect(recordsOf(output)).toEqual(recordsOf(source));
  });
});

describe("what is written for messages that never were pi's", () => {
  test.each<[string, AgentMessage, object]>([
    [
      "data that no model sees",
      { role: "custom", customType: "todo", data: [1], timestamp: 0 },
      { type: "custom", timestamp: "1970-01-01T00:00:00.000Z", customType: "todo", data: [1] },
    ],
    [
      "content for the model",
      { role: "custom", customType: "todo", content: "x", data: 1, timestamp: 0, sender: "ada" },
      {
        type: "custom_message",
        timestamp: "1970-01-01T00:00:00.000Z",
        customType: "todo",
        content: "x",
        display: true,
        details: 1,
        sender: "ada",
      },
    ],
    [
      "a note whose data does not fit one",
      { role: "custom", customType: "pi/label", data: { type: "x" }, timestamp: 0 },
      { type: "custom", timestamp: "1970-01-01T00:00:00.000Z", customType: "pi/label", data: { type: "x" } },
    ],
    [
      "a leaf",
      { role: "custom", customType: "pi/leaf", id: "l", parentId: "a", timestamp: 0 },
      { type: "leaf", id: "l", targetId: "a", parentId: "a", timestamp: "1970-01-01T00:00:00.000Z" },
    ],
    [
      "a leaf that says two targets",
      { role: "custom", customType: "pi/leaf", parentId: "a", data: { targetId: "b" }, timestamp: 0 },
      {
        type: "custom",
        parentId: "a",
        timestamp: "1970-01-01T00:00:00.000Z",
        customType: "pi/leaf",
        data: { targetId: "b" },
      },
    ],
    [
      "a compaction",
      { role: "compaction", summary: "s", firstKeptId: "k", timestamp: 0, id: "c", ext: { cline: { a: 1 } } },
      {
        type: "compaction",
        id: "c",
        timestamp: "1970-01-01T00:00:00.000Z",
        summary: "s",
        firstKeptEntryId: "k",
        ext: { cline: { a: 1 } },
      },
    ],
    [
      "a role pi does not know",
      { role: "status", state: "busy", timestamp: 0, ext: { synthesised: ["/timestamp"] } },
      {
        type: "message",
        timestamp: "1970-01-01T00:00:00.000Z",
        message: { role: "status", state: "busy", timestamp: 0, ext: { synthesised: ["/timestamp"] } },
      },
    ],
  ])("%s", (_, message, record) => expect(encode([message])).toEqual([record]));
});

describe("check", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["a header", { type: "session", version: 3, id: "a", timestamp: TIME, cwd: "" }, []],
    ["an entry of version 1", { type: "reset", timestamp: TIME }, []],
    ["an entry of a tree", { type: "reset", id: "a", parentId: null, timestamp: TIME }, []],
    [
      "a version to come",
      { type: "session", version: 5, id: "a", timestamp: TIME },
      ["/0/version pi/unknown-version"],
    ],
    ["a header without an id", { type: "session", timestamp: TIME }, ["/0 pi/no-session-id"]],
    ["an entry nobody knows", { type: "hologram", timestamp: TIME }, ["/0/type pi/unknown-entry"]],
    ["no id", { type: "reset", parentId: "a", timestamp: TIME }, ["/0 pi/no-id"]],
    ["no parent", { type: "reset", id: "a", timestamp: TIME }, ["/0 pi/no-parent"]],
    [
      "ids that are none",
      { type: "reset", id: 1, parentId: 2, timestamp: TIME },
      ["/0/id pi/no-id", "/0/parentId pi/no-parent"],
    ],
    ["a leaf", { type: "leaf", id: "a", parentId: "b", timestamp: TIME, targetId: null }, []],
    [
      "a leaf without a target",
      { type: "leaf", id: "a", parentId: "b", timestamp: TIME },
      ["/0 pi/no-target"],
    ],
    ["no summary", { type: "compaction", timestamp: TIME }, ["/0 pi/no-summary"]],
    ["no time", { type: "reset" }, ["/0 pi/bad-time"]],
    ["a time that is none", { type: "reset", timestamp: "noon" }, ["/0/timestamp pi/bad-time"]],
    ["a time that is a number", { type: "reset", timestamp: 5 }, ["/0/timestamp pi/bad-time"]],
  ])("%s", (_, record, found) => {
    expect(check([record]).map(({ at, code }) => `${at} ${code}`)).toEqual(found);
  });
});

describe("detect", () => {
  const header = { type: "session", id: "a", timestamp: TIME, cwd: "/" };
  test.each<[string, unknown[], number]>([
    ["a header", [header], 1],
    ["entries with messages", [{ type: "message", message: { role: "user" } }], 0.9],
    ["entries without", [{ type: "reset" }], 0],
    ["messages of the model", [{ role: "session", type: "session", id: "a" }], 0],
    ["a header and something else", [header, { c: [] }], 0],
    ["nothing", [], 0],
  ])("%s", (_, sample, confidence) => {
    expect(detect({ lines: sample, document: undefined })).toBe(confidence);
  });
});

describe("times", () => {
  test.each<[unknown, number | undefined]>([
    ["2026-01-05T09:00:01.000Z", 1_767_603_601_000],
    ["2026-01-05T10:00:01+01:00", 1_767_603_601_000],
    ["2026-01-05T09:00:01.000999", 1_767_603_601_000],
    ["2026-01-05", 1_767_571_200_000],
    ["+010000-01-01T00:00:00.000Z", 253_402_300_800_000],
    [5, 5],
    ["5", undefined],
    ["2026-13-05", undefined],
    ["Mon, 5 Jan 2026 09:00:01", undefined],
    [Number.NaN, undefined],
    [null, undefined],
  ])("%j is %j", (value, ms) => expect(instantOf(value)).toBe(ms));

  test.each<[number, string | number]>([
    [1_767_603_601_000, "2026-01-05T09:00:01.000Z"],
    [-1, "1969-12-31T23:59:59.999Z"],
    [1.5, 1.5],
    [1e300, 1e300],
  ])("%j is spelt %j", (ms, text) => {
    expect(spellTime(ms)).toBe(text);
    expect(isSpelling(text, ms)).toBe(true);
  });

  test.each<[unknown, number]>([
    ["2026-01-05T09:00:01.001Z", 1_767_603_601_000],
    ["2026-01-05T09:00:02.000Z", 1_767_603_601_000],
    ["2026-01-05T09:00:01+00:00", 1_767_603_601_000],
    [1_767_603_601_000, 1_767_603_601_000],
  ])("%j is not how %j is spelt", (value, ms) => expect(isSpelling(value, ms)).toBe(false));
});

test("an ext that lists something else than pointers is a field like any other", async () => {
  const entry = { type: "note", ext: { synthesised: [{ toString: 1 }] } };
  const { output } = await convert(lines(entry), { from: "pi", to: "pi" });
  expect(recordsOf(output)[1]).toEqual(entry);
});
