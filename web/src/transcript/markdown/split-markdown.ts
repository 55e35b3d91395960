import { openMathematics } from "dragoman/markdown";

/** A part of Markdown that can be rendered by itself. A long code block is split into several. */
export type Piece = { type: "text"; text: string } | CodePiece;

export interface CodePiece {
  type: "code";
  language: string;
  text: string;
  first: boolean;
  last: boolean;
  /** The whole block, for the copy button; grows with the block. */
  whole: { text: string };
}

/** Finished blocks are joined into pieces of about this many characters. */
const PIECE = 4_000;
/** Longer blocks are cut, to limit how much is parsed again for each delta. */
const LONGEST_BLOCK = 16_000;
const LONGEST_CODE = 8_000;

interface Fence {
  marker: string;
  language: string;
  /** Set once part of the block has become a piece; until then the block is ordinary Markdown. */
  whole?: { text: string };
}

const opening = /^( {0,3})(`{3,}|~{3,}(?!~))([^`]*)$/;
const listMarker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/**
 * Splits streaming Markdown into pieces. A piece never changes; only `blocks` and `tail`, the open rest, grow. The pieces do
 * not depend on how the text was split into deltas.
 *
 * @example
 * const splitter = new MarkdownSplitter();
 * splitter.push("# Title\n\nThe first par");
 * splitter.blocks; // ["# Title\n\n"]
 * splitter.tail; // "The first par"
 */
export class MarkdownSplitter {
  readonly pieces: Piece[] = [];
  /** Finished blocks that do not fill a piece yet. */
  blocks: string[] = [];
  /** The unfinished block. */
  tail = "";
  #size = 0;
  /** Where the incomplete line begins in the tail. */
  #line = 0;
  /** Where the last unindented line begins: the best place to cut a block that is too long. */
  #margin = 0;
  #fence: Fence | undefined;
  #inList = false;
  #afterBlank = false;
  /** Set from a line with only `\\[` to the next delimiter: blank lines belong to the formula. */
  #inFormula = false;

  /** Set while the tail continues a code block whose beginning is already in pieces. */
  get openCode(): Pick<CodePiece, "language" | "whole"> | undefined {
    const { language, whole } = this.#fence ?? {};
    return language === undefined || whole === undefined ? undefined : { language, whole };
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) {
      // Exceed the limit by at most one character, so that the cuts do not depend on the deltas.
      const room = LONGEST_BLOCK + 1 - this.tail.length;
      const newline = text.indexOf("\n", at) + 1;
      const next = Math.min(newline > 0 ? newline : text.length, at + room);
      this.tail += text.slice(at, next);
      if (next === newline) this.#readLine(this.tail.slice(this.#line, -1));
      if (this.tail.length > LONGEST_BLOCK) this.#cutTooLong();
      at = next;
    }
  }

  /** Ends the text: the open rest becomes a piece. */
  end(): void {
    const fence = this.#fence;
    if (fence?.whole !== undefined) this.#cutCode(fence, this.tail.length, this.tail.length, true);
    else this.#endBlock(this.tail.length);
    this.#endPiece();
    this.#fence = undefined;
  }

  #readLine(line: string): void {
    if (this.#fence !== undefined) this.#readCode(this.#fence, line);
    else if (line.trim() === "") this.#afterBlank = !this.#inFormula;
    else this.#readText(line);
    this.#line = this.tail.length;
  }

  #readText(line: string): void {
    const [, indent = "", marker, info = ""] = opening.exec(line) ?? [];
    const atMargin = !/^\s/.test(line);
    if (marker !== undefined && (indent === "" || !this.#inList)) {
      this.#endBlock(this.#line);
      this.#fence = { marker, language: info.trim().split(/\s/)[0] ?? "" };
      this.#inList = false;
    } else {
      const isItem = listMarker.test(line);
      if (this.#afterBlank && atMargin && !(this.#inList && isItem)) {
        this.#endBlock(this.#line);
        this.#inList = false;
      }
      if (isItem) this.#inList = true;
    }
    this.#inFormula =
      this.#fence === undefined &&
      (this.#inFormula ? !/\\[[\]]/.test(line) : openMathematics(line)?.alone === true);
    if (atMargin) this.#margin = this.#line;
    this.#afterBlank = false;
  }

  #readCode(fence: Fence, line: string): void {
    const next = this.tail.length;
    const isClosing = line.trim().startsWith(fence.marker) && /^\s*([`~])\1*\s*$/.test(line);
    if (isClosing) {
      if (fence.whole === undefined) this.#endBlock(next);
      else this.#cutCode(fence, this.#line, next, true);
      this.#fence = undefined;
    } else if (next > LONGEST_CODE) {
      this.#cutCode(fence, next, next, false);
    }
  }

  /** Makes a piece of the code up to `end`; from there to `next` is the closing fence. */
  #cutCode(fence: Fence, end: number, next: number, last: boolean): void {
    const first = fence.whole === undefined;
    const begin = first ? this.tail.indexOf("\n") + 1 : 0;
    this.#endPiece();
    fence.whole ??= { text: "" };
    const text = this.tail.slice(begin, end);
    fence.whole.text += text;
    this.pieces.push({ type: "code", language: fence.language, text, first, last, whole: fence.whole });
    this.#dropStart(next);
  }

  #cutTooLong(): void {
    if (this.#fence !== undefined) this.#cutCode(this.#fence, LONGEST_BLOCK, LONGEST_BLOCK, false);
    else this.#endBlock(this.#bestCut());
  }

  #bestCut(): number {
    if (this.#margin > 0) return this.#margin;
    const newline = this.tail.lastIndexOf("\n", LONGEST_BLOCK - 1) + 1;
    if (newline > 0) return newline;
    const space = this.tail.lastIndexOf(" ", LONGEST_BLOCK - 1) + 1;
    if (space > 0) return space;
    return /[\ud800-\udbff]/.test(this.tail.charAt(LONGEST_BLOCK - 1)) ? LONGEST_BLOCK - 1 : LONGEST_BLOCK;
  }

  #endBlock(at: number): void {
    this.#inFormula = false;
    const block = this.tail.slice(0, at);
    this.#dropStart(at);
    if (block.trim() === "") return;
    this.blocks.push(block);
    this.#size += block.length;
    if (this.#size >= PIECE) this.#endPiece();
  }

  #endPiece(): void {
    if (this.blocks.length > 0) this.pieces.push({ type: "text", text: this.blocks.join("") });
    this.blocks = [];
    this.#size = 0;
  }

  #dropStart(length: number): void {
    this.tail = this.tail.slice(length);
    this.#line = Math.max(0, this.#line - length);
    this.#margin = Math.max(0, this.#margin - length);
  }
}

/** The pieces of a complete text; a single one if it fits. */
export function piecesOf(text: string): readonly Piece[] {
  if (text.length <= PIECE) return [{ type: "text", text }];
  const splitter = new MarkdownSplitter();
  splitter.push(text);
  splitter.end();
  return splitter.pieces;
}
