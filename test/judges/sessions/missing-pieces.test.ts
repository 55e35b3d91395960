import { expect, test } from "vitest";
import type { AgentMessage } from "../../../src/core/types.js";
import type { Piece } from "./cases.js";
import { missingPieces } from "./missing-pieces.js";

const result = (toolCallId: string, text: string): AgentMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "look",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 0,
});

const sent: AgentMessage[] = [
  { role: "user", content: "first, and a reminder", timestamp: 0 },
  result("2", "two"),
  result("1", "one"),
  { role: "user", content: "last", timestamp: 0 },
];

function problems(expected: Piece[], absent: string[] = []): string[] {
  return missingPieces(sent, JSON.stringify(sent), { expected, absent });
}

test("pieces may have additions, and others may come between them", () => {
  expect(
    problems([
      { type: "user", text: "first" },
      { type: "user", text: "last" },
    ]),
  ).toEqual([]);
});

test("one text can contain several pieces, in their order", () => {
  const first: Piece = { type: "user", text: "first" };
  const and: Piece = { type: "user", text: "and" };
  expect(problems([first, and])).toEqual([]);
  expect(problems([and, first])).toEqual(['missing: {"type":"user","text":"first"}']);
});

test("pieces in another order, missing pieces and pieces that must not be sent are reported", () => {
  expect(
    problems(
      [
        { type: "user", text: "last" },
        { type: "user", text: "first" },
      ],
      ["reminder"],
    ),
  ).toEqual(['sent: "reminder"', 'missing: {"type":"user","text":"first"}']);
});

test("a result that answers another call, and one without its image, are reported", () => {
  const call: Piece = { type: "call", name: "look", arguments: {} };
  expect(problems([call, { type: "result", text: "one", image: "AAAA" }])).toEqual([
    'missing: {"type":"call","name":"look","arguments":{}}',
    '{"type":"result","text":"one","image":"…"} answers another call',
    'the image of {"type":"result","text":"one","image":"…"} is missing',
  ]);
});

test("results that follow each other may be sent in any order, before what comes after them", () => {
  const results: Piece[] = [
    { type: "result", text: "one" },
    { type: "result", text: "two" },
  ];
  expect(problems([...results, { type: "user", text: "last" }])).toEqual([]);
  expect(problems([...results, { type: "user", text: "first" }])).toEqual([
    'missing: {"type":"user","text":"first"}',
  ]);
});
