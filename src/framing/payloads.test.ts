import { expect, test } from "vitest";
import { isEventStream, streamPayloads } from "./payloads.js";

test("the data of server-sent events, with the line each begins in", () => {
  const text = ': hello\n\nevent: a\ndata: {"x":1}\n\nid: 7\ndata: {"y":\r\ndata: 2}\n\ndata: [DONE]\n\n';
  expect(streamPayloads(text)).toEqual([
    { text: '{"x":1}', line: 4 },
    { text: '{"y":\n2}', line: 7 },
    { text: "[DONE]", line: 10 },
  ]);
});

test("the event that a recording breaks off in is one too", () => {
  expect(streamPayloads("data: 1\n\ndata: 2")).toEqual([
    { text: "1", line: 1 },
    { text: "2", line: 3 },
  ]);
});

test("lines that are not blank", () => {
  expect(streamPayloads('{"x":1}\r\n\n{"y":2}')).toEqual([
    { text: '{"x":1}', line: 1 },
    { text: '{"y":2}', line: 3 },
  ]);
});

test.each([
  ["data: x", true],
  ["\n\nevent: x", true],
  [": comment", true],
  ["id:1", true],
  ['{"data":1}', false],
  ["", false],
  ["dataset: x", false],
])("%j is an event stream: %s", (text, expected) => expect(isEventStream(text)).toBe(expected));
