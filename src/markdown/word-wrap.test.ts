import { expect, test } from "vitest";
import { wrap } from "./word-wrap.js";

test("words go to the next line as a whole", () => {
  expect(wrap("one two three four", 9)).toEqual(["one two", "three", "four"]);
});
