import { expect, test } from "vitest";
import { plain, plainJson, plainLine } from "./plain.js";

test("nothing reaches a terminal as a command", () => {
  expect(plain("a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd")).toBe("abcd");
  expect(plain("left \u202eright")).toBe("left \ufffdright");
});

test("a line is cut to columns, of which some characters take two", () => {
  expect(plainLine("  one\n two\tthree ")).toBe("one two three");
  expect(plainLine("one two three", 9)).toBe("one two…");
  expect(plainLine("日本語の題", 7)).toBe("日本語…");
  expect(plainLine("exactly", 7)).toBe("exactly");
});

test("JSON says the same with what a terminal obeys written as escapes", () => {
  const value = { text: "\u009b2J \u202e \u007f \u001b ü" };
  expect(plainJson(value)).toBe('{"text":"\\u009b2J \\u202e \\u007f \\u001b ü"}');
  expect(JSON.parse(plainJson(value))).toEqual(value);
});
