import { type Inline, joinTexts } from "./document.js";

export const SPOILER = "||";

/** `||`, where it may begin or end a spoiler. */
export interface SpoilerSign {
  type: "sign";
  opens: boolean;
  closes: boolean;
}

/**
 * A text with the signs of spoilers taken out. As with every emphasis, a sign opens if text follows it, and closes if text precedes
 * it: `a || b` is no spoiler.
 */
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
 * The beginning of an answer with the spoiler closed that its last paragraph leaves open, so that it hides what it is meant to hide
 * before its end is there.
 *
 *     closeSpoiler("It was ||the but") // "It was ||the but||"
 */
export function closeSpoiler(markdown: string): string {
  const start = markdown.lastIndexOf("\n\n");
  const paragraph = markdown.slice(start + 1);
  const isCode = (markdown.match(/^ {0,3}```/gm)?.length ?? 0) % 2 === 1;
  if (isCode || !paragraph.includes(SPOILER)) return markdown;
  const text = paragraph.trimEnd().replace(/`[^`]*`/g, "x");
  let isOpen = false;
  for (const part of spoilerSigns(text)) {
    if (typeof part !== "string") isOpen = isOpen ? !part.closes : part.opens;
  }
  // What it hides has not begun yet, or half of the sign that ends it is there.
  if (!isOpen || text.endsWith(SPOILER)) return markdown;
  return markdown.trimEnd() + (text.endsWith("|") ? "|" : SPOILER);
}

/** Makes a spoiler of what is between two signs. A sign without a partner is text. */
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
