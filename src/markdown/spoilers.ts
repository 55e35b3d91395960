import { findMathematics } from "../core/mathematics.js";
import { type Inline, joinTexts } from "./document.js";

export const SPOILER = "||";

/** A `||` that may start or end a spoiler. */
export interface SpoilerSign {
  type: "sign";
  opens: boolean;
  closes: boolean;
}

/** Splits text at spoiler signs. A sign opens if text follows it and closes if text precedes it: `a || b` has none. */
export function spoilerSigns(text: string): (string | SpoilerSign)[] {
  const parts = text.split(SPOILER);
  return parts.flatMap((part, index): (string | SpoilerSign)[] => {
    const next = parts[index + 1];
    const words = part === "" ? [] : [part];
    if (next === undefined) return words;
    return [...words, { type: "sign", opens: !/^\s/.test(next), closes: !/\s$/.test(part) }];
  });
}

/**
 * Closes the spoiler that the last paragraph of an unfinished answer leaves open, so that its text is hidden while it
 * streams.
 *
 *     closeSpoiler("It was ||the but") // "It was ||the but||"
 */
export function closeSpoiler(markdown: string): string {
  const start = markdown.lastIndexOf("\n\n");
  const paragraph = markdown.slice(start + 1);
  const isCode = (markdown.match(/^ {0,3}```/gm)?.length ?? 0) % 2 === 1;
  if (isCode || !paragraph.includes(SPOILER)) return markdown;
  const text = withoutMath(paragraph.trimEnd().replace(/`[^`]*`/g, "x"));
  let isOpen = false;
  for (const part of spoilerSigns(text)) {
    if (typeof part !== "string") isOpen = isOpen ? !part.closes : part.opens;
  }
  // A spoiler without text is not closed; half of the closing sign may already be there.
  if (!isOpen || text.endsWith(SPOILER)) return markdown;
  return markdown.trimEnd() + (text.endsWith("|") ? "|" : SPOILER);
}

/** In a formula, the sign is a norm. */
function withoutMath(text: string): string {
  let result = "";
  let from = 0;
  for (const { at, source } of findMathematics(text)) {
    result += `${text.slice(from, at)}x`;
    from = at + source.length;
  }
  return result + text.slice(from);
}

/** Turns the content between two signs into a spoiler. A sign without a partner is text. */
export function pairSpoilers(parts: readonly (Inline | SpoilerSign)[]): Inline[] {
  const result: Inline[] = [];
  let opened: number | undefined;
  for (const part of parts) {
    if (part.type !== "sign") {
      result.push(part);
      continue;
    }
    if (opened !== undefined && part.closes && result.length > opened + 1) {
      const [, ...content] = result.splice(opened);
      result.push({ type: "spoiler", sign: SPOILER, content: joinTexts(content) });
      opened = undefined;
    } else {
      if (part.opens) opened = result.length;
      result.push({ type: "text", text: SPOILER });
    }
  }
  return result;
}
