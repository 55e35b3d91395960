import { expect, test } from "vitest";
import { LineInterleaver } from "./interleave.js";

function write(...messages: [names: string[], gaps?: unknown][]): unknown[] {
  const interleaver = new LineInterleaver(() => undefined);
  for (const [names, gaps] of messages)
    interleaver.add(
      names.map((name) => ({ name })),
      gaps,
    );
  return interleaver.finish().map(({ name }) => name);
}

test("lines without gaps are consecutive", () => {
  expect(write([["a1", "a2"]], [["b1", "b2"]])).toEqual(["a1", "a2", "b1", "b2"]);
});

test("other lines come between those of a message", () => {
  expect(
    write(
      [
        ["a1", "a2", "a3"],
        [1, 1],
      ],
      [["b"]],
      [["c"]],
    ),
  ).toEqual(["a1", "b", "a2", "c", "a3"]);
});

test("two messages wait for each other", () => {
  expect(write([["a1", "a2"], [1]], [["b1", "b2"], [1]])).toEqual(["a1", "b1", "a2", "b2"]);
});

test("gaps that nothing fills, or that are not counts, are ignored", () => {
  expect(write([["a1", "a2"], [5]], [["b"]])).toEqual(["a1", "b", "a2"]);
  expect(
    write(
      [
        ["a1", "a2"],
        ["x", -1],
      ],
      [["b"]],
    ),
  ).toEqual(["a1", "a2", "b"]);
});

test("lines that may not wait are written before the next message", () => {
  const interleaver = new LineInterleaver(() => undefined);
  interleaver.add([{ name: "a1" }, { name: "a2" }, { name: "count" }], [2, 1]);
  interleaver.flush(({ name }) => name === "count");
  for (const name of ["b", "c"]) interleaver.add([{ name }]);
  expect(interleaver.finish().map(({ name }) => name)).toEqual(["a1", "a2", "b", "count", "c"]);
});
