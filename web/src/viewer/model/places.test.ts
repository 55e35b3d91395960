import { expect, test } from "vitest";
import { Places } from "./places.js";

const lines = new Places([
  { at: "/0", line: 1 },
  { at: "/2", line: 4 },
  { at: "/2", line: 4 },
  { at: "/3", line: 5 },
]);

test.each([
  ["a record", { at: "/3" }, 3],
  ["something in a record of several messages", { at: "/2/messages/1/content", line: 4 }, 1],
  ["a line that could not be read", { at: "/1", line: 3 }, 1],
  ["what comes after everything", { at: "/9", line: 20 }, 3],
  ["the whole file", { at: "", line: 1 }, 0],
  ["a loss of a line that gave no message", { at: "/1" }, 1],
])("%s", (_, place, index) => expect(lines.find(place)).toBe(index));

test("of one document that is all one record", () => {
  const whole = new Places([
    { at: "", line: 1 },
    { at: "", line: 1 },
  ]);
  expect(whole.find({ at: "/messages/7/content", line: 30 })).toBe(0);
});

test("without messages there is no place", () => {
  expect(new Places([]).find({ at: "/0", line: 1 })).toBeUndefined();
});
