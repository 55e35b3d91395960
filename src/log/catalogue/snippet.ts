import { MATCH_BEGIN, MATCH_END, SEPARATOR } from "./searchable.js";
import type { SnippetPart } from "./types.js";

/** In UTF-16 units. */
const LENGTH = 240;
/** The part of it before the first match. */
const BEFORE = 60;

interface Span {
  start: number;
  end: number;
  /** The matched text, in lower case. */
  word: string;
}

/**
 * The part of a marked text with the most different matches, on one line. Its time is proportional to the length of the text,
 * even if a tool has printed a word ten thousand times.
 */
export function snippetOf(marked: string): SnippetPart[] {
  const { text, spans } = unmarked(marked.replaceAll(SEPARATOR, "").replace(/\s+/g, " "));
  const best = bestOf(spans);
  const start = best === undefined ? 0 : edge(text, Math.max(0, best.start - BEFORE));
  const end = edge(text, Math.min(text.length, start + LENGTH));
  const parts: SnippetPart[] = [];
  const add = (from: number, to: number, match: boolean) => {
    const [first, last] = [Math.max(from, start), Math.min(to, end)];
    if (first < last) parts.push({ text: text.slice(first, last), match });
  };
  let at = 0;
  for (const span of spans) {
    add(at, span.start, false);
    add(span.start, span.end, true);
    at = span.end;
  }
  add(at, text.length, false);
  return withEllipses(parts, start > 0, end < text.length);
}

function unmarked(marked: string): { text: string; spans: Span[] } {
  const [before = "", ...pieces] = marked.split(MATCH_BEGIN);
  let text = before;
  const spans: Span[] = [];
  for (const piece of pieces) {
    const [match = "", rest = ""] = piece.split(MATCH_END);
    spans.push({ start: text.length, end: text.length + match.length, word: match.toLowerCase() });
    text += match + rest;
  }
  return { text, spans };
}

/** The match at which a snippet with the most different matches begins; the first of several. */
function bestOf(spans: readonly Span[]): Span | undefined {
  const counts = new Map<string, number>();
  const count = (word: string, change: number) => {
    const sum = (counts.get(word) ?? 0) + change;
    if (sum > 0) counts.set(word, sum);
    else counts.delete(word);
  };
  let [best] = spans;
  let most = 0;
  let next = 0;
  for (const span of spans) {
    const end = span.start + LENGTH - BEFORE;
    for (let other = spans[next]; other !== undefined && other.start < end; other = spans[next]) {
      count(other.word, 1);
      next += 1;
    }
    if (counts.size > most) {
      best = span;
      most = counts.size;
    }
    count(span.word, -1);
  }
  return best;
}

/** Moves a position out of a surrogate pair. */
function edge(text: string, at: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at - 1 : at;
}

function withEllipses(parts: SnippetPart[], before: boolean, after: boolean): SnippetPart[] {
  const ellipsis = { text: "…", match: false };
  return [...(before ? [ellipsis] : []), ...parts, ...(after ? [ellipsis] : [])];
}
