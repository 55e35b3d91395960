import { type Inline, plainText, readableAddress } from "./document.js";
import type { Mark } from "./style.js";
import type { Piece } from "./word-wrap.js";

/** How a terminal shows spans: in colours, or with the delimiters of the source. */
export interface TerminalStyle {
  bold: Mark;
  italic: Mark;
  strike: Mark;
  code: Mark;
  /** URLs and decoration. */
  dim: Mark;
  coloured: boolean;
}

const NONE: Mark = { open: "", close: "" };

export function terminalStyle(coloured: boolean): TerminalStyle {
  const sequence = (on: number, off: number): Mark =>
    coloured ? { open: `\u001b[${on}m`, close: `\u001b[${off}m` } : NONE;
  return {
    bold: sequence(1, 22),
    italic: sequence(3, 23),
    strike: sequence(9, 29),
    code: sequence(36, 39),
    dim: sequence(2, 22),
    coloured,
  };
}

/** Characters that control a terminal or reorder its text; a character reference can produce them. */
const unsafe = /[^\P{Cc}\t]|[\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;

/** Spans as pieces of text. A link's URL follows it. */
export function piecesOf(content: readonly Inline[], style: TerminalStyle, marks: readonly Mark[]): Piece[] {
  return content.flatMap((inline): Piece[] => {
    switch (inline.type) {
      case "text":
        return [{ text: inline.text.replace(unsafe, "\ufffd"), marks }];
      case "code":
        return delimited(inline.sign, [{ text: inline.text, marks: [...marks, style.code] }], style, marks);
      case "math":
        return [{ text: inline.source, marks: [...marks, style.code] }];
      case "spoiler":
        return delimited(inline.sign, piecesOf(inline.content, style, marks), { coloured: false }, marks);
      case "link": {
        const label = plainText(inline.content);
        const address = readableAddress(inline.url).replace(unsafe, "\ufffd");
        const dim = [...marks, style.dim];
        if (label.trim() === "" || label === address || `http://${label}` === address) {
          return [{ text: label.trim() === "" ? address : label, marks: dim }];
        }
        return [...piecesOf(inline.content, style, marks), { text: ` (${address})`, marks: dim }];
      }
      default:
        return delimited(
          inline.sign,
          piecesOf(inline.content, style, [...marks, style[inline.type]]),
          style,
          marks,
        );
    }
  });
}

/** Without colours, delimiters replace the marks. */
function delimited(
  sign: string,
  pieces: readonly Piece[],
  { coloured }: Pick<TerminalStyle, "coloured">,
  marks: readonly Mark[],
): Piece[] {
  const signs: Piece[] = coloured ? [] : [{ text: sign, marks }];
  return [...signs, ...pieces, ...signs];
}
