import jsQR from "jsqr";
import { expect, test } from "vitest";
import { qrCode } from "../../../src/cli/terminal/qr-code.js";

/** Pixels per module; the reader needs more than one. */
const SCALE = 4;

/** What each character looks like: its upper and its lower half, true is dark. */
const halves: Readonly<Record<string, readonly [boolean, boolean]>> = {
  " ": [false, false],
  "▀": [true, false],
  "▄": [false, true],
  "█": [true, true],
};

/** Reads a printed code as a camera would: black characters on a white background. */
function scan(lines: readonly string[]): string | undefined {
  const rows = lines.flatMap((line) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
    const [, characters = ""] = /^\u001b\[30;107m([ ▀▄█]+)\u001b\[0m$/.exec(line) ?? [];
    return [0, 1].map((half) => [...characters].map((character) => halves[character]?.[half] === true));
  });
  const width = (rows[0]?.length ?? 0) * SCALE;
  const height = rows.length * SCALE;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isDark = rows[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)] === true;
      if (isDark) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return jsQR.default(pixels, width, height, { inversionAttempts: "dontInvert" })?.data;
}

test.each([
  "HELLO",
  "https://example.com/link?to=Zürich",
  // What WhatsApp asks to be scanned: a version and four keys.
  `2@${"aB3+/".repeat(28)},${"k".repeat(43)}=,${"n".repeat(43)}=,${"s".repeat(43)}=`,
])("a printed code is read back: %s", (text) => {
  expect(scan(qrCode(text))).toBe(text);
});

test("a printed code is black on white, with a margin of two modules", () => {
  const lines = qrCode("HELLO");
  expect(lines).toHaveLength(13);
  expect(lines[0]).toBe(`\u001b[30;107m${" ".repeat(25)}\u001b[0m`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
  expect(lines[1]).toMatch(/^\u001b\[30;107m {2}█▀▀▀▀▀█.{7}█▀▀▀▀▀█ {2}\u001b\[0m$/);
});

test("more than a QR code can hold is refused", () => {
  expect(() => qrCode("x".repeat(2954))).toThrow("Data too long");
});
