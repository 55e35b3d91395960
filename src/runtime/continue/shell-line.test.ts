import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellLine, shellWord } from "./shell-line.js";

test.each([
  ["/home/ann/app-1", "/home/ann/app-1"],
  ["", "''"],
  ["/my app", "'/my app'"],
  ["/it's", "'/it'\\''s'"],
  ["$(reboot)", "'$(reboot)'"],
  ["a;b|c&d", "'a;b|c&d'"],
  ["~", "'~'"],
  ["a\nb", "$'a\\x0ab'"],
  ["it's \u001b[2J\\", "$'it\\x27s \\x1b[2J\\x5c'"],
  ["\u202eü", "$'\\xe2\\x80\\xae\\xc3\\xbc'"],
])("%j is one word", (text, word) => {
  expect(shellWord(text)).toBe(word);
  expect(execFileSync("bash", ["-c", `printf %s ${word}`], { encoding: "utf8" })).toBe(text);
});

test("commands are run one after the other, in a folder", () => {
  const commands = [
    ["opencode", "import", "/a b.json"],
    ["opencode", "-s", "ses_1"],
  ];
  expect(shellLine("/w", commands)).toBe("cd /w && opencode import '/a b.json' && opencode -s ses_1");
  expect(shellLine(undefined, [["claude", "--resume", "x"]])).toBe("claude --resume x");
});
