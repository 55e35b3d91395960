import { Lexer, type Links, type MarkedToken, type Token, type Tokens } from "marked";
import { findMathematics } from "../core/mathematics.js";
import { isMath, type MathToken, MathTokenizer, mathExtensions } from "./math-tokens.js";
import { wholeSlice } from "./whole-slice.js";

/** Blocks and spans nested deeper than this are text. */
const MAX_DEPTH = 12;
/** Rows are padded to the header's columns: without a bound a short text makes millions of cells. */
const MAX_COLUMNS = 40;
/** marked's search for spans is superlinear, so longer text is searched in parts. */
const MAX_INLINE = 2000;

class BoundedTokenizer extends MathTokenizer {
  /** The URLs that reference links use. */
  readonly used = new Set<string>();
  #depth = 0;

  /** Only lines that start with `>`: in a chat, the next line is not part of the quotation. */
  override blockquote(source: string): Tokens.Blockquote | undefined {
    const raw = quotedLines(source);
    if (raw === "") return undefined;
    const text = raw.replace(/^ {0,3}>[ \t]?/gm, "");
    return this.#within(() => ({ type: "blockquote", raw, text, tokens: this.#blocks(text) }));
  }

  override list(source: string): Tokens.List | undefined {
    return this.#within(() => super.list(source));
  }

  override emStrong(source: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#within(() => super.emStrong(source, masked, before));
  }

  /** `~` alone means "about". */
  override del(source: string, masked: string, before?: string): Tokens.Del | undefined {
    if (!source.startsWith("~~")) return undefined;
    return this.#within(() => super.del(source, masked, before));
  }

  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    return this.#within(() => super.link(source));
  }

  override reflink(source: string, links: Links): Tokens.Link | Tokens.Image | Tokens.Text | undefined {
    const token = this.#within(() => super.reflink(source, links));
    if (token !== undefined && token.type !== "text") this.used.add(token.href);
    return token;
  }

  /** A table with a row longer than its header is text: the extra cells would be lost. */
  override table(source: string): Tokens.Table | undefined {
    const start = source.indexOf("\n") + 1;
    const end = source.indexOf("\n", start);
    if (cellCount(source.slice(start, end === -1 ? undefined : end)) > MAX_COLUMNS) return undefined;
    const table = super.table(source);
    const rows = table?.raw.split("\n").slice(2) ?? [];
    return rows.some((row) => cellCount(row) > (table?.header.length ?? 0)) ? undefined : table;
  }

  /** HTML is shown as text, and Markdown inside it is Markdown. */
  override html(): undefined {
    return undefined;
  }

  override tag(): undefined {
    return undefined;
  }

  #blocks(text: string): Token[] {
    const { state } = this.lexer;
    const { top } = state;
    state.top = true;
    try {
      return this.lexer.blockTokens(text);
    } finally {
      state.top = top;
    }
  }

  #within<T>(read: () => T): T | undefined {
    if (this.#depth === MAX_DEPTH) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

/** Two for `| a | b \\| c |`. */
function cellCount(row: string): number {
  const inner = row.trim().replace(/^\|/, "");
  const pipes = (inner.match(/\\.|\|/g) ?? []).filter((match) => match === "|").length;
  return pipes + (/(?<!\\)\|$/.test(inner) ? 0 : 1);
}

function quotedLines(source: string): string {
  const line = / {0,3}>.*(?:\n|$)/y;
  let end = 0;
  while (line.test(source)) end = line.lastIndex;
  return source.slice(0, end);
}

class BoundedLexer extends Lexer {
  override inline(source: string, tokens: Token[] = []): Token[] {
    for (const part of parts(source)) super.inline(part, tokens);
    return tokens;
  }
}

/** Split at line or word ends where possible, and never inside a formula. */
function parts(source: string): string[] {
  if (source.length <= MAX_INLINE) return [source];
  const result: string[] = [];
  let start = 0;
  while (source.length - start > MAX_INLINE) {
    const piece = wholeSlice(source, start, MAX_INLINE);
    const gap = Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf(" "));
    const end = outsideMath(source, start, start + (gap > MAX_INLINE / 2 ? gap + 1 : piece.length));
    result.push(source.slice(start, end));
    start = end;
  }
  result.push(source.slice(start));
  return result;
}

/** The place itself, or the start or the end of the formula that it is in. */
function outsideMath(source: string, start: number, place: number): number {
  for (const { at, source: formula } of findMathematics(source, start, place)) {
    const end = at + formula.length;
    if (end > place) return at > start ? at : end;
  }
  return place;
}

const kinds: Record<MarkedToken["type"], true> = {
  blockquote: true,
  br: true,
  checkbox: true,
  code: true,
  codespan: true,
  def: true,
  del: true,
  em: true,
  escape: true,
  heading: true,
  hr: true,
  html: true,
  image: true,
  link: true,
  list: true,
  list_item: true,
  paragraph: true,
  space: true,
  strong: true,
  table: true,
  text: true,
};

export type KnownToken = MarkedToken | MathToken;

/** Always true: only marked's extensions make other tokens, and the one for formulas is the only one. */
export function isKnown(token: Token): token is KnownToken {
  return isMath(token) || Object.hasOwn(kinds, token.type);
}

/** The tokens of inline text. */
export function lexInline(text: string): Token[] {
  const tokenizer = new BoundedTokenizer();
  return new BoundedLexer({ gfm: true, tokenizer, extensions: mathExtensions }).inlineTokens(text);
}

/** The tokens of a document, in linear time for any input, and the URLs that its reference links use. */
export function lex(markdown: string): { tokens: Token[]; used: ReadonlySet<string> } {
  const tokenizer = new BoundedTokenizer();
  const lexer = new BoundedLexer({ gfm: true, tokenizer, extensions: mathExtensions });
  return { tokens: lexer.lex(markdown), used: tokenizer.used };
}
