import { MATCH_BEGIN, MATCH_END, SEPARATOR } from "./searchable.js";
import type { SnippetPart } from "./types.js";

/** A word can be as long as a file; what stands between matches is shown up to here. */
const MAX_PART = 160;

/** A snippet of SQLite in pieces, in one line, without what was added for the index. */
export function partsOf(marked: string): SnippetPart[] {
  const text = marked.replaceAll(SEPARATOR, "").replace(/\s+/g, " ");
  const parts: SnippetPart[] = [];
  for (const piece of text.split(MATCH_BEGIN)) {
    const [first = "", second] = piece.split(MATCH_END);
    add(parts, first, second !== undefined);
    if (second !== undefined) add(parts, second, false);
  }
  return parts.map(({ text, match }, index) => ({
    text: shortened(text, index === 0 && !match, index === parts.length - 1 && !match),
    match,
  }));
}

/** Characters that were indexed one by one are matched one by one; together they are one piece. */
function add(parts: SnippetPart[], text: string, match: boolean): void {
  const last = parts.at(-1);
  if (text === "") return;
  if (last?.match === match) last.text += text;
  else parts.push({ text, match });
}

/** What is next to a match stays. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= MAX_PART) return text;
  if (isFirst) return `…${text.slice(-MAX_PART)}`;
  if (isLast) return `${text.slice(0, MAX_PART)}…`;
  return `${text.slice(0, MAX_PART / 2)}…${text.slice(-MAX_PART / 2)}`;
}
