import type { Token } from "marked";
import { isKnown, lexInline } from "./bounded-lexer.js";
import type { Inline } from "./document.js";
import { inlinesOf } from "./read-markdown.js";
import { wholeSlice } from "./whole-slice.js";
import { canBreak } from "./word-wrap.js";

/** The maximum length of a span; bounds the delay of the output and the cost of the search for the span's end. */
const WINDOW = 500;

/**
 * The possible start of an open span or formula: not a mark before white space, an underscore after a letter, or brackets
 * without a URL.
 */
const opener =
  /`|\\$|\\[([]|\$\$|(?<![\p{L}\p{N}])\$(?!\s|\d[\d.,]{0,20}\s{1,3}\p{L}{2}|[^$\\`]{0,99}(?:\s\$|\$[\p{L}\p{N}]))|(?<!\*)\*+(?![\s*])|(?<![\p{L}\p{N}_])_+(?![\s_])|~~(?!\s)|~$|\[(?![^[\]\\`<]*\][^([])|<(?! |[^<>]*[<>])/u;

const special = /[\\`*_~[\]!<$]/;
/** Text without these contains no spans. */
const notable = /[\\`*_~[<&@$]|:\/\/|www\./i;

interface StableInlines {
  content: Inline[];
  /** The length of this part of the text. */
  end: number;
}

/**
 * The spans at the start of a line that later text cannot change, however the line is split into deltas. Text is withheld
 * only while it could start a span.
 *
 * @param before the character before the text
 */
export function stableInlines(text: string, complete: boolean, before: string): StableInlines {
  const window = wholeSlice(text, 0, WINDOW);
  const prose = proseLength(window, complete && window === text);
  if (prose > 0) return { content: [{ type: "text", text: window.slice(0, prose) }], end: prose };
  const context = special.test(before) ? "" : before;
  const tokens = withoutStart(lexInline(context + window), context.length);
  if (complete && window === text) return { content: inlinesOf(tokens), end: text.length };
  const stable = firstTokens(tokens, stableLength(tokens, window));
  if (stable.end > 0 || window === text) return stable;
  return firstTokens(tokens, breakAfter(window, WINDOW / 2));
}

/** The length of the window's start that contains no spans. */
function proseLength(window: string, isAll: boolean): number {
  const end = window.search(notable);
  return end === -1 && isAll ? window.length : lastBreak(window, 0, end === -1 ? window.length : end);
}

/** The length of the stable part. It ends with a word, because the text directly after a span can matter. */
function stableLength(tokens: readonly Token[], window: string): number {
  let stable = 0;
  let at = 0;
  for (const token of tokens) {
    const end = at + token.raw.length;
    if (token.type === "text") {
      const found = token.raw.search(opener);
      const last = lastBreak(window, at, found === -1 ? end : at + found);
      if (last > at) stable = last;
      if (found !== -1) break;
    } else if (!isStable(token, window.slice(end))) break;
    at = end;
  }
  return stable;
}

/** Whether a span followed by `rest` stays the same, whatever follows `rest`. */
function isStable(token: Token, rest: string): boolean {
  if (!isKnown(token) || rest === "") return false;
  switch (token.type) {
    case "codespan":
      // marked treats the end of code that contains a backtick as a start.
      return !token.text.includes("`");
    case "link":
      // A bare URL extends to white space.
      return !token.autolink || token.raw.startsWith("<") || /\s/.test(rest);
    case "em":
    case "strong":
    case "del":
      return token.tokens.every((inner) =>
        inner.type === "text" ? !opener.test(inner.raw) : isStable(inner, rest),
      );
    default:
      return true;
  }
}

/** The last possible line break up to `to`, or `from`. */
function lastBreak(text: string, from: number, to: number): number {
  for (let at = to; at > from; at--) {
    if (/\s/.test(text[at - 1] ?? "") || canBreak(text[at - 1] ?? "", text[at] ?? "")) return at;
  }
  return from;
}

/** The first possible line break from `from` on, or the end. */
function breakAfter(text: string, from: number): number {
  const space = text.slice(from).search(/\s/);
  return space === -1 ? text.length : from + space + 1;
}

/** The tokens within the first `length` characters; text is cut there, spans are not. */
function firstTokens(tokens: readonly Token[], length: number): StableInlines {
  const first: Token[] = [];
  let end = 0;
  for (const token of tokens) {
    if (end >= length) break;
    const part = token.type === "text" ? cut(token, 0, length - end) : token;
    first.push(part);
    end += part.raw.length;
  }
  return { content: inlinesOf(first), end };
}

function withoutStart(tokens: readonly Token[], length: number): readonly Token[] {
  const [first, ...rest] = tokens;
  return first === undefined || length === 0 ? tokens : [cut(first, length, first.raw.length), ...rest];
}

function cut(token: Token, from: number, to: number): Token {
  const raw = token.raw.slice(from, to);
  return raw === token.raw ? token : { type: "text", raw, text: raw };
}
