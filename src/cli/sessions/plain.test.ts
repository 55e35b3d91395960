import { expect, test } from "vitest";
import { cut, plain, plainJson, plainLine } from "./plain.js";

test("nothing reaches a terminal as a command", () => {
  expect(plain("a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd")).toBe("abcd");
  expect(plain("left \u202eright")).toBe("left \ufffdright");
});

test("a line is cut to columns, of which some characters take two", () => {
  expect(plainLine("  one\n two\tthree ")).toBe("one two three");
  expect(plainLine("one two three", 9)).toBe("one two…");
  expect(plainLine("日本語の題", 7)).toBe("日本語…");
  expect(plainLine("exactly", 7)).toBe("exactly");
  expect(plainLine("a longer text", 8)).toBe("a longe…");
  expect(plainLine("\u001b[31mred\u001b[0m", 10)).toBe("red");
});

test("the indentation of a line that is only cut stays", () => {
  expect(cut("    return 1;", 10)).toBe("    retur…");
});

test("JSON says the same with what a terminal obeys written as escapes", () => {
  const value = { text: "\u009b2J \u202e \u007f \u001b ü" };
  expect(plainJson(value)).toBe('{"text":"\\u009b2J \\u202e \\u007f \\u001b ü"}');
  expect(JSON.parse(plainJson(value))).toEqual(value);
});
