import { displayWidth } from "../core/display-width.js";
import { type OpenMathematics, openMathematics } from "../core/mathematics.js";
import type { Cell } from "./document.js";
import { type Fence, fenceOf, inFence, type LineStart, lineStart, withoutQuotes } from "./line-start.js";
import { readMarkdown } from "./read-markdown.js";
import { stableInlines } from "./stable-inlines.js";
import { tableGrid, type WrittenCell } from "./table.js";
import { piecesOf, type TerminalStyle, terminalStyle } from "./terminal-style.js";
import { painted, WordWrap } from "./word-wrap.js";

export interface TerminalOptions {
  /** The terminal's columns; `Infinity` for no wrapping. */
  width: number;
  /** Without colours, spans and headings keep their delimiters. */
  coloured: boolean;
}

interface ContinuedMath extends Pick<OpenMathematics, "close" | "alone"> {
  quotes: number;
}

const MAX_INDENT = 40;
const RULE_COLUMNS = 40;

/**
 * Renders streaming Markdown for a terminal. Output is never revised: words appear when complete, spans when closed, lines of
 * code when they end, tables after their last row. Each source line starts a line. The input must be safe for a terminal.
 */
export class TerminalWriter {
  readonly #options: TerminalOptions;
  readonly #style: TerminalStyle;
  readonly #wrap: WordWrap;
  #out = "";
  /** The unprocessed part of the line. */
  #line = "";
  /** `start`: the line's kind is unknown; `text`: its text is being written; `whole`: it is processed when complete. */
  #state: "start" | "text" | "whole" = "start";
  /** The character before `#line`. */
  #before = "";
  #inHeading = false;
  #fence: Fence | undefined;
  /** The formula that the line continues. */
  #math: ContinuedMath | undefined;
  #quotes = 0;
  #rows: LineStart[] = [];
  #blank = false;
  #begun = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#style = terminalStyle(options.coloured);
    this.#wrap = new WordWrap(options.width);
  }

  push(delta: string): string {
    this.#read(delta);
    return this.#flush();
  }

  end(): string {
    if (this.#line !== "" || this.#state !== "start") this.#endLine();
    this.#endTable();
    this.#closeFence();
    return this.#flush();
  }

  #flush(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  #read(text: string): void {
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      this.#line += text.slice(at, newline === -1 ? text.length : newline);
      if (newline === -1) {
        this.#advance(false);
        return;
      }
      this.#endLine();
      at = newline + 1;
    }
  }

  #endLine(): void {
    this.#advance(true);
    if (this.#state === "text") this.#out += `${this.#wrap.end()}\n`;
    else if (this.#state === "whole") this.#wholeLine();
    this.#line = "";
    this.#state = "start";
  }

  #advance(complete: boolean): void {
    if (this.#state === "start") this.#start(complete);
    if (this.#state === "text") this.#writeText(complete);
  }

  #start(complete: boolean): void {
    if (this.#fence !== undefined || this.#math !== undefined) {
      this.#state = "whole";
      return;
    }
    const start = lineStart(this.#line, complete);
    if (start === undefined) return;
    if (start.kind !== "row" || start.quotes !== this.#rows[0]?.quotes) this.#endTable();
    switch (start.kind) {
      case "blank":
        this.#blank = this.#begun;
        return;
      case "row":
      case "fence":
      case "rule":
        this.#state = "whole";
        return;
      default:
        this.#startText(start);
    }
  }

  #startText({ kind, quotes, indent, marker, text }: LineStart): void {
    const { coloured, width } = this.#options;
    this.#inHeading = kind === "heading";
    const isHidden = coloured && kind === "heading";
    const shown = marker === "" || isHidden ? "" : `${coloured && marker.length === 1 ? "•" : marker} `;
    const spaces = " ".repeat(Math.min(indent, MAX_INDENT, Math.floor(width / 2)));
    const columns = 2 * quotes + spaces.length + shown.length;
    this.#begin(quotes);
    this.#out += spaces + shown;
    this.#wrap.begin(columns, this.#bars(quotes) + " ".repeat(columns - 2 * quotes));
    this.#line = text;
    this.#before = "";
    this.#quotes = quotes;
    this.#state = "text";
  }

  #writeText(complete: boolean): void {
    const marks = this.#inHeading ? [this.#style.bold] : [];
    const open = complete ? openMathematics(this.#line, this.#before === "") : undefined;
    if (open !== undefined) {
      this.#startMath(open);
      return;
    }
    while (this.#line !== "") {
      const { content, end } = stableInlines(this.#line, complete, this.#before);
      if (end === 0) return;
      for (const piece of piecesOf(content, this.#style, marks)) this.#out += this.#wrap.push(piece);
      this.#before = this.#line[end - 1] ?? "";
      this.#line = this.#line.slice(end);
    }
  }

  /** Writes a line that opens a formula. Nothing in the formula is a mark, on this line and on the next ones. */
  #startMath({ at, close, alone }: OpenMathematics): void {
    const formula = this.#line.slice(at);
    this.#line = this.#line.slice(0, at);
    this.#writeText(true);
    this.#out += this.#wrap.push({ text: formula, marks: [this.#style.code] });
    this.#math = { close, alone, quotes: this.#quotes };
  }

  /** A line of a formula, and the text after it. Without its closing delimiter, a formula ends at a blank line. */
  #mathLine({ close, alone, quotes }: ContinuedMath): void {
    const line = withoutQuotes(this.#line, quotes);
    const end = line?.indexOf(close) ?? -1;
    if (line === undefined || (line.trim() === "" && !alone)) {
      this.#math = undefined;
      this.#state = "start";
      this.#endLine();
    } else if (end === -1) this.#writeLine(quotes, this.#code(line));
    else {
      this.#math = undefined;
      this.#begin(quotes);
      this.#out += this.#code(line.slice(0, end + close.length));
      this.#wrap.begin(displayWidth(line.slice(0, end + close.length)), this.#bars(quotes));
      this.#line = line.slice(end + close.length);
      this.#before = close.at(-1) ?? "";
      this.#writeText(true);
      this.#out += `${this.#wrap.end()}\n`;
    }
  }

  #code(text: string): string {
    return painted({ text, marks: [this.#style.code] });
  }

  #wholeLine(): void {
    if (this.#math !== undefined) {
      this.#mathLine(this.#math);
      return;
    }
    if (this.#fence !== undefined) {
      this.#codeLine(this.#fence);
      return;
    }
    const start = lineStart(this.#line, true);
    if (start?.kind === "row") this.#rows.push(start);
    else if (start?.kind === "fence") this.#openFence(start);
    else if (start?.kind === "rule") {
      this.#writeLine(start.quotes, this.#dim("─".repeat(Math.min(this.#options.width, RULE_COLUMNS))));
    }
  }

  #openFence(start: LineStart): void {
    const fence = fenceOf(start);
    if (fence === undefined) {
      this.#textLine(start);
      return;
    }
    this.#fence = fence;
    const { coloured } = this.#options;
    const frame = coloured ? this.#dim(`┌─ ${fence.info}`.trimEnd()) : `${fence.mark}${fence.info}`;
    this.#writeLine(fence.quotes, frame);
  }

  #codeLine(fence: Fence): void {
    const found = inFence(fence, this.#line);
    if (typeof found === "object") {
      this.#writeLine(fence.quotes, found.code);
      return;
    }
    this.#closeFence();
    if (found === "outside") {
      this.#state = "start";
      this.#endLine();
    }
  }

  #closeFence(): void {
    if (this.#fence === undefined) return;
    const { quotes, mark } = this.#fence;
    this.#writeLine(quotes, this.#options.coloured ? this.#dim("└─") : mark);
    this.#fence = undefined;
  }

  #endTable(): void {
    const rows = this.#rows;
    const [first] = rows;
    if (first === undefined) return;
    this.#rows = [];
    const lines = this.#tableLines(rows.map(({ text }) => text).join("\n"), 2 * first.quotes);
    if (lines === undefined) for (const row of rows) this.#textLine(row);
    else for (const line of lines) this.#writeLine(first.quotes, line);
  }

  #tableLines(source: string, indent: number): string[] | undefined {
    const [table, more] = readMarkdown(source);
    if (table?.type !== "table" || more !== undefined) return undefined;
    const header = table.header.map((cell) => this.#cell(cell, true));
    const rows = table.rows.map((cells) => cells.map((cell) => this.#cell(cell, false)));
    const aligns = table.header.map(({ align }) => align);
    return tableGrid([header, ...rows], aligns, this.#options.width - indent) ?? records(header, rows);
  }

  #cell({ content }: Cell, isHead: boolean): WrittenCell {
    const pieces = piecesOf(content, this.#style, isHead ? [this.#style.bold] : []);
    return {
      text: pieces.map(painted).join(""),
      width: displayWidth(pieces.map(({ text }) => text).join("")),
    };
  }

  /** Writes a line that turned out to be text; the line being read is kept. */
  #textLine(start: LineStart): void {
    const [line, state] = [this.#line, this.#state];
    this.#startText({ ...start, kind: "text" });
    this.#writeText(true);
    this.#out += `${this.#wrap.end()}\n`;
    this.#line = line;
    this.#state = state;
  }

  /** Writes a line, after a pending blank line. */
  #writeLine(quotes: number, text: string): void {
    this.#begin(quotes);
    this.#out += `${text}\n`;
  }

  #begin(quotes: number): void {
    this.#out += `${this.#blank ? "\n" : ""}${this.#bars(quotes)}`;
    this.#blank = false;
    this.#begun = true;
  }

  #bars(quotes: number): string {
    return quotes === 0 ? "" : this.#dim("│ ".repeat(quotes));
  }

  #dim(text: string): string {
    return painted({ text, marks: [this.#style.dim] });
  }
}

/** A table that is too wide, with one line per cell. */
function records(header: readonly WrittenCell[], rows: readonly (readonly WrittenCell[])[]): string[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...row.map((cell, column) => `${header[column]?.text ?? ""}: ${cell.text}`),
  ]);
}
