import { expect, test } from "vitest";
import { errorCorrection } from "./error-correction.js";
import { printedQr } from "./print.js";
import { qrCode } from "./qr-code.js";

test("the correction of the standard's example", () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  expect([...errorCorrection(Uint8Array.from(data), 10)]).toEqual([
    196, 35, 39, 119, 235, 215, 231, 226, 93, 23,
  ]);
});

// Module for module what other programs draw with the same mask.
test("a small code", () => {
  expect(qrCode("HELLO").map((row) => row.map((isDark) => (isDark ? "#" : ".")).join(""))).toEqual([
    "#######.#.###.#######",
    "#.....#...##..#.....#",
    "#.###.#.##.#..#.###.#",
    "#.###.#.##..#.#.###.#",
    "#.###.#.#..#..#.###.#",
    "#.....#..####.#.....#",
    "#######.#.#.#.#######",
    "...........##........",
    "####..#.######..###.#",
    "##.#.#.##..####..##..",
    "..#.###....#.......##",
    "##.#.#..##.#..####.#.",
    "#..####.#...#..#..#.#",
    "........#..#..#...#.#",
    "#######....##..#.....",
    "#.....#..##....#####.",
    "#.###.#...#.######.##",
    "#.###.#.##.#..#.####.",
    "#.###.#.#...#.##..#..",
    "#.....#.#....#.##...#",
    "#######.##...#.#.....",
  ]);
});

test.each([
  [17, 21],
  [18, 25],
  [154, 45],
  [230, 53],
  [271, 57],
  [272, 61],
  [858, 97],
])("%d bytes take %d modules in each direction", (bytes, modules) => {
  expect(qrCode("x".repeat(bytes))).toHaveLength(modules);
});

test("more does not fit", () => {
  expect(() => qrCode("x".repeat(859))).toThrow("859 bytes are too many for a QR code");
});

test("on a terminal it is black on white, with a margin", () => {
  const lines = printedQr("HELLO");
  expect(lines).toHaveLength(13);
  expect(lines[0]).toBe(`\u001b[30;107m${" ".repeat(25)}\u001b[0m`);
  expect(lines[1]).toBe("\u001b[30;107m  █▀▀▀▀▀█ ▀ ██▀ █▀▀▀▀▀█  \u001b[0m");
});
