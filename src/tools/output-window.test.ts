import { expect, test } from "vitest";
import { OutputWindow } from "./output-window.js";

function windowOf(max: number, ...texts: string[]): string {
  const window = new OutputWindow(max);
  for (const text of texts) window.push(text);
  return window.text((cut) => `<${cut}>`);
}

test.each([
  ["nothing", [], ""],
  ["short", ["abc", "def"], "abcdef"],
  ["exactly as long", ["abcdefgh", "ij"], "abcdefghij"],
  ["one too long", ["abcdefghijk"], "abcde\n<1>\nghijk"],
  ["long, in one piece", ["abcdefghijklmnopqrstuvwxyz"], "abcde\n<16>\nvwxyz"],
  ["long, in pieces", [..."abcdefghijklmnopqrstuvwxyz"], "abcde\n<16>\nvwxyz"],
  ["characters of two units", ["😀😀😀😀😀😀😀"], "😀😀\n<4>\n😀😀"],
])("%s", (_, texts, expected) => {
  expect(windowOf(10, ...texts)).toBe(expected);
});
