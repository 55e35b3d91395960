import { expect, test } from "vitest";
import { painter } from "./colour.js";
import { shownLine, shownText } from "./shown-text.js";

test("our own colours stay, and a stranger's escapes go", () => {
  const red = painter(true)("red", "dropped");
  expect(shownText(`${red} c1\u001b]52;c;cHduCg==\u0007\u001b[2J\u001b[8m!`)).toBe(`${red} c1!`);
});

test.each([
  ["C1 controls", "a\u009b2Jb", "ab"],
  ["marks that reorder text", "user\u202etxt.exe", "user\ufffdtxt.exe"],
  ["a lone return, which would overwrite the line", "good\rbad", "good\nbad"],
  ["half a character", "a\ud800", "a\ufffd"],
])("%s", (_, text, shown) => {
  expect(shownText(text)).toBe(shown);
});

test("in one line a stranger cannot begin another", () => {
  expect(shownLine("a\n  error: all is lost\r\nb")).toBe("a error: all is lost b");
});
