import { qrCode } from "./qr-code.js";

/** Light modules around the code, for cameras. */
const MARGIN = 2;
/** Black on bright white in any colour scheme: some readers cannot read inverted codes. */
const [PAPER, END] = ["\u001b[30;107m", "\u001b[0m"];

/** A text as a QR code for a terminal, two rows of modules per line. */
export function printedQr(text: string): string[] {
  const grid = qrCode(text);
  const isDark = (x: number, y: number) => grid[y]?.[x] === true;
  const lines: string[] = [];
  for (let y = -MARGIN; y < grid.length + MARGIN; y += 2) {
    const columns = Array.from({ length: grid.length + 2 * MARGIN }, (_, column) => column - MARGIN);
    lines.push(`${PAPER}${columns.map((x) => half(isDark(x, y), isDark(x, y + 1))).join("")}${END}`);
  }
  return lines;
}

function half(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
