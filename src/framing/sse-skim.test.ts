import { expect, test } from "vitest";
import { bytesOf, everyCut } from "../../test/generate/chunks.js";
import { SseReader } from "./sse.js";
import { SseSkimmer } from "./sse-skim.js";

const stream =
  "event: a\ndata: 1\n\n: comment\n\ndata: é\n\nevent: a\ndata: 2\ndata: 3\n\n\nid: 7\ndata: 4\n\n";
const expected = [
  ["a", "1"],
  ["message", "é"],
  ["a", "2\n3"],
  ["message", "4"],
];

/** Every event, skimmed or read. */
function readAll(chunks: readonly Uint8Array[], skippable: RegExp) {
  const skimmer = new SseSkimmer(skippable);
  const events: string[][] = [];
  for (const piece of chunks.flatMap((chunk) => skimmer.push(chunk))) {
    const read = "skimmed" in piece ? new SseReader().pushText(piece.skimmed) : [piece];
    events.push(...read.map(({ event, data }) => [event, data]));
  }
  const last = skimmer.finish();
  return last === undefined ? events : [...events, [last.event, last.data]];
}

test.each([
  ["everything is skimmed", /(?:[^\n]+\n(?:[^\n]+\n)*\n)+/y],
  ["nothing is", /$^/y],
  ["some is", /(?:event: a\ndata: 1\n\n)+/y],
])("%s: no event is lost or read twice, cut anywhere", (_, skippable) => {
  for (const text of [stream, stream.replaceAll("\n", "\r\n"), stream.slice(0, -1)]) {
    for (const chunks of everyCut(bytesOf(text))) expect(readAll(chunks, skippable)).toEqual(expected);
  }
});

test("only events that are complete in the chunk are skimmed", () => {
  const skimmer = new SseSkimmer(/(?:data: \d\n\n)+/y);
  expect(skimmer.push(bytesOf("data: 1\n\ndata: 2\n\nda"))).toEqual([
    { skimmed: "data: 1\n\ndata: 2\n\n", bytes: bytesOf("data: 1\n\ndata: 2\n\n") },
  ]);
  expect(skimmer.push(bytesOf("ta: 3\n\ndata: 4\n"))).toEqual([{ event: "message", data: "3", id: "" }]);
  expect(skimmer.push(bytesOf("\ndata: 5\n\n"))).toEqual([
    { event: "message", data: "4", id: "" },
    { skimmed: "data: 5\n\n", bytes: bytesOf("data: 5\n\n") },
  ]);
});

test("an event between skimmed ones is read", () => {
  const skimmer = new SseSkimmer(/(?:data: [^2]\n\n)+/y);
  expect(skimmer.push(bytesOf("data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n"))).toEqual([
    { skimmed: "data: 1\n\n", bytes: bytesOf("data: 1\n\n") },
    { event: "message", data: "2", id: "" },
    { skimmed: "data: 3\n\ndata: 4\n\n", bytes: bytesOf("data: 3\n\ndata: 4\n\n") },
  ]);
});

test("events with CR are read", () => {
  const skimmer = new SseSkimmer(/(?:[^\n]+\n\n)+/y);
  expect(skimmer.push(bytesOf("data: 1\r\n\r\ndata: 2\r\n\r\n"))).toEqual([
    { event: "message", data: "1", id: "" },
    { event: "message", data: "2", id: "" },
  ]);
});

test("bytes are given only if they are ASCII", () => {
  const skimmer = new SseSkimmer(/(?:data: [^\n]\n\n)+/y);
  expect(skimmer.push(bytesOf("data: é\n\n"))).toEqual([{ skimmed: "data: é\n\n" }]);
});
