import { expect, test } from "vitest";
import { textOf, withSpoilers } from "./spoilers.js";

const spoiler = (offset: number, length: number) => ({ type: "spoiler", offset, length });

test.each([
  ["one", "It was Bob.", [spoiler(7, 3)], "It was ||Bob||."],
  ["two, in any order", "a b c", [spoiler(4, 1), spoiler(0, 1)], "||a|| b ||c||"],
  ["parts that touch are one", "a b c", [spoiler(0, 2), spoiler(2, 3)], "||a b c||"],
  ["offsets count UTF-16 units", "😀 x", [spoiler(3, 1)], "😀 ||x||"],
  ["other entities", "a b", [{ type: "bold", offset: 0, length: 1 }], "a b"],
  [
    "ranges outside of the text",
    "abc",
    [spoiler(2, 9), spoiler(-4, 5), spoiler(7, 1), spoiler(1, -1)],
    "||a||b||c||",
  ],
])("%s", (_, text, entities, shown) => {
  expect(withSpoilers(text, entities)).toBe(shown);
});

test("the words under a picture have spoilers too", () => {
  expect(textOf({ caption: "ab", caption_entities: [spoiler(1, 1)] })).toBe("a||b||");
  expect(textOf({})).toBeUndefined();
});
