import { renderUnicodeCompact } from "uqr";

/** Black on bright white in any colour scheme: some readers cannot read inverted codes. */
const [PAPER, END] = ["\u001b[30;107m", "\u001b[0m"];

/** A text as a QR code for a terminal, two rows of modules per line, with a margin for cameras. */
export function qrCode(text: string): string[] {
  // Inverted, because uqr draws light modules as blocks.
  const lines = renderUnicodeCompact(text, { border: 2, invert: true }).split("\n");
  return lines.map((line) => `${PAPER}${line}${END}`);
}
