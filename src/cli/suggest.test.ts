import { expect, test } from "vitest";
import { suggest } from "./suggest.js";

const names = ["help", "model", "usage", "undo", "quit"];

test.each([
  ["usgae", "usage"],
  ["mod", "model"],
  ["mdoel", "model"],
  ["hlp", "help"],
  ["quite", "quit"],
  ["banana", undefined],
])("%s was probably %s", (typed, expected) => {
  expect(suggest(typed, names)).toBe(expected);
});
