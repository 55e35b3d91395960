import { plain } from "../sessions/plain.js";
import { ownCodes } from "./colour.js";

/**
 * Text that is safe to print: our own colours stay; other escape sequences and reordering characters are removed. Almost
 * every line contains untrusted file names, ids or messages, so this runs where lines are printed, not where they are made.
 */
export function shownText(text: string): string {
  const colours = text.match(ownCodes) ?? [];
  return text
    .split(ownCodes)
    .map((piece, index) => plain(piece) + (colours[index] ?? ""))
    .join("");
}

/** The same, on one line. */
export function shownLine(text: string): string {
  return shownText(text).replace(/\s+/g, (space) => (space.includes("\n") ? " " : space));
}
