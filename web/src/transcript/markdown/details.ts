import type { Token } from "marked";

/** A part that the text folds away with HTML: `<details><summary>Title</summary>…</details>`. */
export interface Details {
  type: "details";
  startsOpen: boolean;
  /** The title's source. */
  summary: string;
  /** What follows the title in the same HTML block. */
  first: string;
  tokens: readonly Token[];
}

export function isDetails(block: Token | Details): block is Details {
  return block.type === "details";
}

const opening = /^<details(\s+open(?:="")?)?\s*>\s*<summary>([\s\S]*?)<\/summary>([\s\S]*)$/i;
const closing = /<\/details>\s*$/i;

/** Joins the blocks between the tags of a fold. A fold without its end is left as it is, except at the end of a streaming text. */
export function joinDetails(tokens: readonly Token[], isStreaming: boolean): (Token | Details)[] {
  const joined: (Token | Details)[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) continue;
    const [, open, summary, first] = (token.type === "html" && opening.exec(token.raw)) || [];
    if (summary === undefined || first === undefined) {
      joined.push(token);
      continue;
    }
    const details = { type: "details" as const, startsOpen: open !== undefined, summary: summary.trim() };
    if (closing.test(first)) {
      joined.push({ ...details, first: first.replace(closing, ""), tokens: [] });
      continue;
    }
    const end = endOf(tokens, at);
    if (end === undefined && !isStreaming) joined.push(token);
    else {
      joined.push({ ...details, first, tokens: tokens.slice(at + 1, end) });
      at = end ?? tokens.length;
    }
  }
  return joined;
}

/** The index of the token that closes the fold at `start`. */
function endOf(tokens: readonly Token[], start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type !== "html") continue;
    if (/^<details[\s>]/i.test(token.raw)) depth++;
    if (closing.test(token.raw)) depth--;
    if (depth === 0) return /^\s*<\/details>\s*$/i.test(token.raw) ? at : undefined;
  }
  return undefined;
}
