import type { Token } from "marked";
import { isKnown, lexInline } from "./bounded-lexer.js";
import type { Inline } from "./document.js";
import { inlinesOf } from "./read-markdown.js";
import { wholeSlice } from "./whole-slice.js";
import { canBreak } from "./word-wrap.js";

/** A span must end within this many characters. Bounds both how long output waits and what looking for the end costs. */
const WINDOW = 500;

/**
 * What may begin a span whose end has not come. A mark before white space, an underscore behind a letter and brackets that no
 * address follows begin none.
 */
const opener =
  /`|(?<!\*)\*+(?![\s*])|(?<![\p{L}\p{N}_])_+(?![\s_])|~~(?!\s)|~$|\[(?![^[\]\\`<]*\][^([])|<(?! |[^<>]*[<>])/u;

const special = /[\\`*_~[\]!<]/;
/** Text without these is nothing but text. */
const notable = /[\\`*_~[<&@]|:\/\/|www\./i;

interface Settled {
  content: Inline[];
  /** How much of the text it is. */
  end: number;
}

/**
 * The spans at the beginning of a line that nothing which comes later can change. What is returned does not depend on how the line
 * is cut: text is held back only while it could be the beginning of a span.
 *
 * @param before the character before the text
 */
export function settledInlines(text: string, complete: boolean, before: string): Settled {
  const window = wholeSlice(text, 0, WINDOW);
  const prose = proseLength(window, complete && window === text);
  if (prose > 0) return { content: [{ type: "text", text: window.slice(0, prose) }], end: prose };
  const context = special.test(before) ? "" : before;
  const tokens = withoutStart(lexInline(context + window), context.length);
  if (complete && window === text) return { content: inlinesOf(tokens), end: text.length };
  const settled = take(tokens, settledLength(tokens, window));
  if (settled.end > 0 || window === text) return settled;
  return take(tokens, breakAfter(window, WINDOW / 2));
}

/** How much of the window is text in which there is nothing to look for. */
function proseLength(window: string, isAll: boolean): number {
  const end = window.search(notable);
  return end === -1 && isAll ? window.length : lastBreak(window, 0, end === -1 ? window.length : end);
}

/** How much of the window is settled: up to the end of a word, because what is written right behind a span can matter. */
function settledLength(tokens: readonly Token[], window: string): number {
  let settled = 0;
  let at = 0;
  for (const token of tokens) {
    const end = at + token.raw.length;
    if (token.type === "text") {
      const found = token.raw.search(opener);
      const last = lastBreak(window, at, found === -1 ? end : at + found);
      if (last > at) settled = last;
      if (found !== -1) break;
    } else if (!isSettled(token, window.slice(end))) break;
    at = end;
  }
  return settled;
}

/** Whether a span stays what it is, whatever comes behind `rest`, which follows it. */
function isSettled(token: Token, rest: string): boolean {
  if (!isKnown(token) || rest === "") return false;
  switch (token.type) {
    case "codespan":
      // Of code with a backtick in it, marked remembers the end as a beginning.
      return !token.text.includes("`");
    case "link":
      // A bare address goes on until white space.
      return !token.autolink || token.raw.startsWith("<") || /\s/.test(rest);
    case "em":
    case "strong":
    case "del":
      return token.tokens.every((inner) =>
        inner.type === "text" ? !opener.test(inner.raw) : isSettled(inner, rest),
      );
    default:
      return true;
  }
}

/** The last place up to `to` where a line could be broken, or `from`. */
function lastBreak(text: string, from: number, to: number): number {
  for (let at = to; at > from; at--) {
    if (/\s/.test(text[at - 1] ?? "") || canBreak(text[at - 1] ?? "", text[at] ?? "")) return at;
  }
  return from;
}

/** The first place from `from` on where a line could be broken, or the end. */
function breakAfter(text: string, from: number): number {
  const space = text.slice(from).search(/\s/);
  return space === -1 ? text.length : from + space + 1;
}

/** The tokens within the first `length` characters; a text is cut there, a span is whole. */
function take(tokens: readonly Token[], length: number): Settled {
  const taken: Token[] = [];
  let end = 0;
  for (const token of tokens) {
    if (end >= length) break;
    const part = token.type === "text" ? cut(token, 0, length - end) : token;
    taken.push(part);
    end += part.raw.length;
  }
  return { content: inlinesOf(taken), end };
}

function withoutStart(tokens: readonly Token[], length: number): readonly Token[] {
  const [first, ...rest] = tokens;
  return first === undefined || length === 0 ? tokens : [cut(first, length, first.raw.length), ...rest];
}

function cut(token: Token, from: number, to: number): Token {
  const raw = token.raw.slice(from, to);
  return raw === token.raw ? token : { type: "text", raw, text: raw };
}
