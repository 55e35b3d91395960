import { expect, test } from "vitest";
import { painter, wantsColour } from "./colour.js";

const terminal = { isTTY: true };

test.each([
  ["a terminal", terminal, {}, undefined, true],
  ["a pipe", {}, {}, undefined, false],
  ["NO_COLOR", terminal, { NO_COLOR: "1" }, undefined, false],
  ["an empty NO_COLOR, which means nothing", terminal, { NO_COLOR: "" }, undefined, true],
  ["a dumb terminal", terminal, { TERM: "dumb" }, undefined, false],
  ["--no-color", terminal, {}, true, false],
  ["FORCE_COLOR in a pipe", {}, { FORCE_COLOR: "1" }, undefined, true],
  ["FORCE_COLOR=0 on a terminal", terminal, { FORCE_COLOR: "0" }, undefined, false],
  ["NO_COLOR beside FORCE_COLOR", {}, { FORCE_COLOR: "1", NO_COLOR: "1" }, undefined, false],
])("%s", (_name, stream, env, refused, expected) => {
  expect(wantsColour(stream, env, refused)).toBe(expected);
});

test("paint or plain", () => {
  expect(painter(true)("green", "ok")).toBe("\u001b[32mok\u001b[39m");
  expect(painter(false)("green", "ok")).toBe("ok");
});
