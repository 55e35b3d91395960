import { displayWidth } from "../../core/display-width.js";
import { graphemes } from "../../core/graphemes.js";
import { visibleJson } from "../../core/json/visible.js";
import { SafeText } from "../chat/safe-text.js";

/** Untrusted text, made safe for a terminal. */
export function plain(text: string): string {
  const safe = new SafeText();
  return safe.push(text) + safe.end();
}

/** The same on one line of at most `columns`. */
export function plainLine(text: string, columns = Number.POSITIVE_INFINITY): string {
  return cut(plain(text).replace(/\s+/g, " ").trim(), columns);
}

/** Shortens a line to `columns`, with an ellipsis. */
export function cut(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes(line)) {
    width += displayWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Equivalent JSON that is safe to print on a terminal. */
export function plainJson(value: unknown): string {
  return visibleJson(JSON.stringify(value));
}
