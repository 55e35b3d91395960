import { Lexer, type Links, type MarkedToken, type Token, Tokenizer, type Tokens } from "marked";
import { wholeSlice } from "./whole-slice.js";

/** Quotes in lists in quotes, and emphasis in emphasis: what is deeper is text. */
const MAX_DEPTH = 12;
/** Rows are filled up to the columns of the head: without a bound a short text makes millions of cells. */
const MAX_COLUMNS = 40;
/** Spans are searched in time that grows faster than the text, so that no search gets a longer one. */
const MAX_INLINE = 2000;

class BoundedTokenizer extends Tokenizer {
  /** Addresses that links refer to by a name. */
  readonly used = new Set<string>();
  #depth = 0;

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(source));
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

  override table(source: string): Tokens.Table | undefined {
    const start = source.indexOf("\n") + 1;
    const end = source.indexOf("\n", start);
    const rule = source.slice(start, end === -1 ? undefined : end);
    return rule.split("|", MAX_COLUMNS + 3).length > MAX_COLUMNS + 2 ? undefined : super.table(source);
  }

  /** Nobody shows HTML: it is text, and Markdown in it is Markdown. */
  override html(): undefined {
    return undefined;
  }

  override tag(): undefined {
    return undefined;
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

class BoundedLexer extends Lexer {
  override inline(source: string, tokens: Token[] = []): Token[] {
    for (const part of parts(source)) super.inline(part, tokens);
    return tokens;
  }
}

/** Cut at the ends of lines or words where there are some. */
function parts(source: string): string[] {
  if (source.length <= MAX_INLINE) return [source];
  const result: string[] = [];
  let start = 0;
  while (source.length - start > MAX_INLINE) {
    const piece = wholeSlice(source, start, MAX_INLINE);
    const gap = Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf(" "));
    const length = gap > MAX_INLINE / 2 ? gap + 1 : piece.length;
    result.push(piece.slice(0, length));
    start += length;
  }
  result.push(source.slice(start));
  return result;
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

/** Always: only extensions, of which there are none, make others. */
export function isKnown(token: Token): token is MarkedToken {
  return Object.hasOwn(kinds, token.type);
}

/**
 * The tokens of a text, in time that grows as the text does, whatever is in it; and the addresses that its links refer
 * to by a name.
 */
export function lex(markdown: string): { tokens: Token[]; used: ReadonlySet<string> } {
  const tokenizer = new BoundedTokenizer();
  return { tokens: new BoundedLexer({ gfm: true, tokenizer }).lex(markdown), used: tokenizer.used };
}
