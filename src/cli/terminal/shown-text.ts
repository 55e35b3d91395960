import { plain } from "../sessions/plain.js";
import { ownCodes } from "./colour.js";

/**
 * Text as a terminal may be given it: our own colours stay, and whatever else a terminal would obey, or show in another order,
 * is taken away. File names, ids and messages of strangers are in almost every line we print, so it is done where lines are
 * printed and not where they are made.
 */
export function shownText(text: string): string {
  const colours = text.match(ownCodes) ?? [];
  return text
    .split(ownCodes)
    .map((piece, index) => plain(piece) + (colours[index] ?? ""))
    .join("");
}

/** The same in one line. */
export function shownLine(text: string): string {
  return shownText(text).replace(/\s+/g, (space) => (space.includes("\n") ? " " : space));
}
