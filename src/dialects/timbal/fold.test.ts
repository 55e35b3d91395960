import { expect, test } from "vitest";
import { fold } from "./fold.js";

const A = "01JHN5Y1J00000000000000001";
const B = "01JHN5Y1J00000000000000002";
const t = "2025-01-15T14:30:00.000Z";

function folded(...values: unknown[]) {
  const { records, losses } = fold(values.map((value, index) => ({ value, index })));
  return { records, losses: losses.map(({ at, what, why, severity }) => [at, what, why, severity]) };
}

test("complete messages are records as they are", () => {
  const frame = { i: A, t, v: { type: "user", content: "Hi" }, seq: 1 };
  expect(folded(frame)).toEqual({ records: [{ value: frame, index: 0 }], losses: [] });
});

test.each([
  ["text", [{ m: { type: "agent" } }, { a: "H" }, { a: "i" }], { type: "agent", content: "Hi", sender: "a" }],
  ["a start alone", [{ m: { type: "agent" } }], { type: "agent", content: "Hi" }],
  ["an object", [{}, { a: '{"type":"x-a",' }, { a: '"n":1}' }], { type: "x-a", n: 1 }],
  [
    "arguments",
    [{ m: { type: "tool_call" } }, { a: '{"n": 1}' }],
    { type: "tool_call", arguments: { n: 1 } },
  ],
  ["the same again", [{ t, v: { type: "status" } }], { type: "status" }],
])("frames of %s that lead to the final value are folded into it", (_, frames, v) => {
  const last = { i: A, t, v };
  expect(folded(...frames.map((frame) => ({ i: A, ...frame })), last)).toEqual({
    records: [{ value: last, index: frames.length }],
    losses: [],
  });
});

test.each([
  ["another text", [{ m: { type: "agent" } }, { a: "Ho" }], { type: "agent", content: "Hi" }],
  ["another sender", [{ m: { sender: "b" } }, { a: "Hi" }], { sender: "a", content: "Hi" }],
  ["half an object", [{}, { a: '{"type":"x-a"' }], { type: "x-a", n: 1 }],
  [
    "other arguments",
    [{ m: { type: "tool_call" } }, { a: '{"n":2}' }],
    { type: "tool_call", arguments: { n: 1 } },
  ],
  [
    "an earlier value",
    [{ m: {} }, { t, v: { type: "user", content: "Ho" } }],
    { type: "user", content: "Hi" },
  ],
])("frames that said %s are named", (_, frames, v) => {
  const { losses } = folded(...frames.map((frame) => ({ i: A, ...frame })), { i: A, t, v });
  const named = "type" in v ? `the ${v.type} message ${A}` : `the message ${A}`;
  expect(losses).toEqual([
    [
      "/2",
      `2 earlier frames of ${named}`,
      "they do not add up to its final value, which is kept",
      "approximated",
    ],
  ]);
});

test("a message that never completed is kept without a time", () => {
  expect(folded({ s: "x", i: A, m: { type: "agent" } }, { s: "x", i: A, a: "Hi" })).toEqual({
    records: [{ value: { s: "x", i: A, v: { type: "agent", content: "Hi" } }, index: 1 }],
    losses: [
      [
        "/1",
        `the agent message ${A}`,
        "it never completed; the part that arrived is kept, without a time",
        "approximated",
      ],
    ],
  });
});

test("what has no value is dropped", () => {
  expect(folded({ i: A }, { i: A, a: "[1]" }, { i: B }, { i: B, a: " " })).toEqual({
    records: [],
    losses: [
      ["/1", `the message ${A}`, "its value is not an object", "dropped"],
      ["/3", `the message ${B}`, "it was started, but none of it arrived", "dropped"],
    ],
  });
});

test("what is deleted, ignored or control is dropped", () => {
  expect(
    folded(
      { i: A, t, v: { type: "status" } },
      { i: A, v: null },
      { i: A, a: "x" },
      { c: "error", code: "server_error" },
    ),
  ).toEqual({
    records: [],
    losses: [
      ["/0", `the status message ${A}`, "a later frame deletes it", "dropped"],
      ["/2", "the frame", "it appends to a message that was not started", "dropped"],
      ["/3", "the frame", "a control frame is not part of the transcript", "dropped"],
    ],
  });
});

test("streams stand one after the other, by name", () => {
  const [one, two, three] = [
    { s: "b", i: A, t, v: {} },
    { s: "a", i: B, t, v: {} },
    { s: "a", i: A, t, v: {} },
  ];
  expect(folded(one, two, three).records.map(({ index }) => index)).toEqual([2, 1, 0]);
});
