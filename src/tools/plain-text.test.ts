import { expect, test } from "vitest";
import { PlainText } from "./plain-text.js";

const cases: [name: string, input: string, output: string][] = [
  ["text", "a\tb\nc é 日本 😀", "a\tb\nc é 日本 😀"],
  ["colours", "\u001b[1;31mred\u001b[0m!", "red!"],
  ["cursor and screen", "\u001b[2J\u001b[H\u001b[?25lx\u001b[6n", "x"],
  ["the title, ended by BEL", "\u001b]0;owned\u0007x", "x"],
  ["the title, ended by ST", "\u001b]0;owned\u001b\\x", "x"],
  ["a link", "\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\", "text"],
  ["the clipboard", "\u001b]52;c;ZXZpbA==\u0007x", "x"],
  ["a device control string", "\u001bP$qm\u001b\\x", "x"],
  ["a privacy message", "\u001b^hidden\u001b\\x", "x"],
  ["an application command", "\u001b_hidden\u001b\\x", "x"],
  ["one character for ESC [", "\u009b31mx", "x"],
  ["one character for ESC ]", "\u009d0;owned\u009cx", "x"],
  ["a character set", "\u001b(0x", "x"],
  ["a reset", "\u001bcx", "x"],
  ["two escapes", "\u001b\u001b[31mx", "x"],
  ["an escape in a sequence", "\u001b[3\u001b[31mx", "x"],
  ["an escape in a string", "\u001b]0;a\u001b[31mx", "x"],
  ["a character that cannot be in a sequence", "\u001b[3é1mx", "é1mx"],
  ["a sequence without an end costs its line", "a\u001b]0;b c\nd", "a\nd"],
  ["a sequence at the end", "a\u001b[3", "a"],
  ["CRLF", "a\r\nb\r\n\r\nc", "a\nb\n\nc"],
  ["a return alone", "10%\r20%\r\r30%\n", "10%\n20%\n\n30%\n"],
  ["other controls", "a\0b\bc\u0007d\u007fe\u0085f", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf"],
];

test.each(cases)("%s", (_, input, output) => {
  expect(new PlainText().push(input)).toBe(output);
});

test.each(cases)("%s, character by character", (_, input, output) => {
  const plain = new PlainText();
  expect([...input].map((character) => plain.push(character)).join("")).toBe(output);
});
