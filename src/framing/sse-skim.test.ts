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
function readAll(chunks: readonly Uint8Array[], canSkim?: (events: string) => boolean) {
  const skimmer = new SseSkimmer();
  const events: string[][] = [];
  for (const piece of chunks.flatMap((chunk) => skimmer.push(chunk, canSkim))) {
    const read = "skimmed" in piece ? new SseReader().pushText(piece.skimmed) : [piece];
    events.push(...read.map(({ event, data }) => [event, data]));
  }
  const last = skimmer.finish();
  return last === undefined ? events : [...events, [last.event, last.data]];
}

test.each([
  ["everything is skimmed", () => true],
  ["nothing is", () => false],
  ["some is", (events: string) => events.includes("1")],
])("%s: no event is lost or read twice, cut anywhere", (_, canSkim) => {
  for (const text of [stream, stream.replaceAll("\n", "\r\n"), stream.slice(0, -1)]) {
    for (const chunks of everyCut(bytesOf(text))) expect(readAll(chunks, canSkim)).toEqual(expected);
  }
});

test("only events that are complete in the chunk are skimmed", () => {
  const skimmer = new SseSkimmer();
  const asked: string[] = [];
  const canSkim = (events: string) => asked.push(events) > 0;
  expect(skimmer.push(bytesOf("data: 1\n\ndata: 2\n\nda"), canSkim)).toEqual([
    { skimmed: "data: 1\n\ndata: 2\n\n" },
  ]);
  expect(skimmer.push(bytesOf("ta: 3\n\ndata: 4\n"), canSkim)).toEqual([
    { event: "message", data: "3", id: "" },
  ]);
  expect(skimmer.push(bytesOf("\ndata: 5\n\n"), canSkim)).toEqual([
    { event: "message", data: "4", id: "" },
    { skimmed: "data: 5\n\n" },
  ]);
  expect(asked).toEqual(["data: 1\n\ndata: 2\n\n", "data: 5\n\n"]);
});

test("streams with CR are read", () => {
  const canSkim = () => true;
  expect(new SseSkimmer().push(bytesOf("data: 1\r\n\r\ndata: 2\n\n"), canSkim)).toEqual([
    { event: "message", data: "1", id: "" },
    { event: "message", data: "2", id: "" },
  ]);
});
