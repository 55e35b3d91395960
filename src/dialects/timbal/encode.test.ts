import { describe, expect, test } from "vitest";
import { type AssistantMessage, emptyUsage, type UserMessage } from "../../core/index.js";
import { decode } from "./decode.js";
import { encode } from "./encode.js";
import { joins } from "./wire.js";

const X = "01JHN5Y1J0A7Q3ZK5T9V2XWB4C";
const LATER = "01JHN5Y2H8B3C5D7E9F1G3H5J7";
const timestamp = Date.parse("2025-01-15T14:30:00.000Z");

function answer(texts: string[], more: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content: texts.map((text) => ({ type: "text", text })),
    api: "",
    provider: "",
    model: "",
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp,
    ...more,
  };
}

function question(more: Partial<UserMessage> = {}): UserMessage {
  return { role: "user", content: "Hi", timestamp, ...more };
}

describe("the id of a record", () => {
  test.each([
    ["is the message's, if that is a ULID", question({ id: X }), undefined, X],
    ["is made, if that is not", question({ id: "m1" }), undefined, "01JHN5Y1J0DRAG0MAN00000000"],
    [
      "is made, if that does not sort after the one before",
      question({ id: X }),
      LATER,
      "01JHN5Y2H8DRAG0MAN00000000",
    ],
    ["is made, if it is the one before", question({ id: X }), X, "01JHN5Y1J0DRAG0MAN00000000"],
    [
      "is the one it was read under",
      question({ id: "q", ext: { timbal: { i: "01J...002" } } }),
      "01J...001",
      "01J...002",
    ],
  ])("%s", (_, message, last, i) => {
    const before = last === undefined ? undefined : { i: last, v: { type: "user", content: "" } };
    expect(encode([message], undefined, before).map((record) => record["i"])).toEqual([i]);
  });

  test("of a block is one more than that of the block before, where the types say that it follows", () => {
    const content: AssistantMessage["content"] = [
      { type: "thinking", thinking: "a" },
      { type: "text", text: "b" },
      { type: "toolCall", id: "c", name: "look", arguments: {} },
    ];
    expect(encode([answer([], { id: X, content })]).map((record) => record["i"])).toEqual([
      X,
      "01JHN5Y1J0A7Q3ZK5T9V2XWB4D",
      "01JHN5Y1J0A7Q3ZK5T9V2XWB4E",
    ]);
  });

  test("of a block bears the mark, where only that says it", () => {
    expect(encode([answer(["a", "b", "c"], { id: X })]).map((record) => record["i"])).toEqual([
      X,
      "01JHN5Y1J0A7Q3ZK5T9V2XWB4CDRAG0MAN00000001",
      "01JHN5Y1J0A7Q3ZK5T9V2XWB4CDRAG0MAN00000002",
    ]);
  });

  test.each([
    ["says nothing", "01JHN5Y1J00000000000000003", "01JHN5Y1J00000000000000004", false],
    ["with our mark says it", "01JHN5Y1J0DRAG0MAN00002000", "01JHN5Y1J0DRAG0MAN00002001", true],
  ])("that is one more than that of a call before it %s", (_, call, text, joined) => {
    const last = { i: call, v: { type: "tool_call", toolCallId: "c", name: "look", arguments: {} } };
    expect(joins(last, { i: text, v: { type: "agent", content: "Hi" } })).toBe(joined);
  });

  test("is the made one it was read under, if that would be made later in time", () => {
    const records = [
      { i: "01HDRAG0MAN00000000", t: "2027-04-09T10:10:58.900Z", v: { type: "user", content: "" } },
      { i: "01J", v: { type: "user", content: "" } },
    ];
    expect(encode(decode(records).map(({ message }) => message))).toEqual(records);
  });

  test("of a block is not its own, if the block would fall out of its message", () => {
    const call = (i: string) =>
      ({ type: "toolCall", id: i, name: "t", arguments: {}, ext: { timbal: { i } } }) as const;
    const calls = answer([], { id: "4", content: [call("4"), call("5")], ext: { timbal: { i: "4" } } });
    expect(encode([calls]).map((record) => record["i"])).toEqual(["4", "5"]);
    const before = { i: "3", v: { type: "agent", content: "" } };
    expect(encode([calls], undefined, before).map((record) => record["i"])).toEqual([
      "3DRAG0MAN00000000",
      "3DRAG0MAN00000001",
    ]);
  });

  test("is not the message's, if the message would look like a part of the answer before", () => {
    const thinking = { i: X, v: { type: "thinking", content: "" } };
    const [record] = encode([answer(["a"], { id: LATER })], undefined, thinking);
    expect(record?.["i"]).toBe("01JHN5Y1J0DRAG0MAN00000000");
    expect(joins(thinking, record ?? {})).toBe(false);
    expect(joins(thinking, { ...record, i: LATER })).toBe(true);
  });
});

describe("the stream of a record", () => {
  const inStream = (s: string) => question({ id: X, ext: { timbal: { s } } });
  test.each([
    ["is the one it was read from", inStream("b"), undefined, "b", X],
    ["is new after one whose name comes before", inStream("b"), { s: "a", i: LATER, v: {} }, "b", X],
    ["is the one before, if the name would come too late", inStream("a"), { s: "b", i: "0", v: {} }, "b", X],
    ["is the one before, if it has none", question({ id: X }), { s: "b", i: "0", v: {} }, "b", X],
    ["is none, if there are none", inStream("b"), { i: "0", v: {} }, undefined, X],
  ])("%s", (_, message, last, s, i) => {
    const [record] = encode([message], undefined, last);
    expect([record?.["s"], record?.["i"]]).toEqual([s, i]);
  });
});

describe("the time of a record", () => {
  test.each([
    ["has milliseconds", question(), "2025-01-15T14:30:00.000Z"],
    [
      "is spelled as it was",
      question({ ext: { timbal: { t: "2025-01-15T14:30:00Z" } } }),
      "2025-01-15T14:30:00Z",
    ],
    [
      "is spelled anew when the message was changed",
      question({ timestamp: timestamp + 1, ext: { timbal: { t: "2025-01-15T14:30:00Z" } } }),
      "2025-01-15T14:30:00.001Z",
    ],
    [
      "is left out when nobody knows it",
      question({ timestamp: 0, ext: { synthesised: ["/timestamp"] } }),
      undefined,
    ],
    ["is left out when it cannot be written", question({ timestamp: 1e20 }), undefined],
  ])("%s", (_, message, t) => {
    const [record] = encode([message]);
    expect(record?.["t"]).toBe(t);
  });
});
