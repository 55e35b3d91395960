import { displayWidth } from "../../core/display-width.js";
import { columnsOf } from "../terminal/columns.js";

export interface Terminal {
  columns?: number;
  rows?: number;
  write(text: string): unknown;
}

/** The fixed area at the bottom: each line is one row, and the cursor is in one of them. */
export interface Bottom {
  lines: readonly string[];
  cursor: { row: number; column: number };
}

const NOTHING: Bottom = { lines: [], cursor: { row: 0, column: 0 } };
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
const colourCodes = /\u001b\[[\d;]*m/g;

/**
 * A terminal with scrolling text above a few fixed lines. Nothing else may write to it: the fixed lines are erased and
 * redrawn around every write.
 */
export class Screen {
  readonly #terminal: Terminal;
  #unwritten = "";
  /** The last, unfinished line of the text. It is redrawn with the bottom. */
  #partial = "";
  #bottom = NOTHING;
  /** The lines on the terminal from `#partial` down to the cursor. */
  #above: string[] = [];
  #due: NodeJS.Immediate | undefined;
  #hasEnded = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get columns(): number {
    return Math.max(columnsOf({ isTTY: true, ...this.#terminal }) ?? 0, 10);
  }

  get rows(): number {
    // A terminal that does not know its size reports 0 rows.
    return Math.max(this.#terminal.rows || 24, 4);
  }

  write(text: string): void {
    this.#unwritten += text;
    this.#drawSoon();
  }

  /** What arrives after the end is not shown: it would be drawn below the shell's prompt. */
  show(bottom: Bottom): void {
    if (this.#hasEnded) return;
    this.#bottom = bottom;
    this.#drawSoon();
  }

  /** Erases the bottom and leaves the cursor on a new line. */
  end(): void {
    this.#bottom = NOTHING;
    if (this.#partial + this.#unwritten !== "" && !this.#unwritten.endsWith("\n")) this.#unwritten += "\n";
    this.draw();
    this.#hasEnded = true;
  }

  draw(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
    let out = this.#eraseCodes();
    const text = this.#partial + this.#unwritten;
    const end = text.lastIndexOf("\n") + 1;
    out += text.slice(0, end);
    this.#partial = text.slice(end);
    this.#unwritten = "";
    // Lines that have scrolled off cannot be erased again.
    if (this.#rowsOf(this.#partial) > this.rows / 2) {
      out += `${this.#partial}\n`;
      this.#partial = "";
    }
    this.#terminal.write(out + this.#bottomCodes());
  }

  #drawSoon(): void {
    this.#due ??= setImmediate(() => this.draw());
  }

  #eraseCodes(): string {
    const up = this.#above.reduce((sum, line) => sum + this.#rowsOf(line), 0);
    return `${up > 0 ? `\u001b[${up}A` : ""}\r\u001b[J`;
  }

  #bottomCodes(): string {
    const { lines, cursor } = this.#bottom;
    const text = this.#partial === "" ? [] : [this.#partial];
    this.#above = [...text, ...lines.slice(0, cursor.row)];
    if (lines.length === 0) return text.join("");
    const up = lines.length - 1 - cursor.row;
    const right = cursor.column > 0 ? `\u001b[${cursor.column}C` : "";
    return `${[...text, ...lines].join("\n")}${up > 0 ? `\u001b[${up}A` : ""}\r${right}`;
  }

  #rowsOf(line: string): number {
    return Math.max(Math.ceil(displayWidth(line.replace(colourCodes, "")) / this.columns), 1);
  }
}
