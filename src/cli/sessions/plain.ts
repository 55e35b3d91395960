import { displayWidth } from "../../core/display-width.js";
import { visibleJson } from "../../core/json/visible.js";
import { SafeText } from "../chat/safe-text.js";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Text of a stranger that a terminal can be given. */
export function plain(text: string): string {
  const safe = new SafeText();
  return safe.push(text) + safe.end();
}

/** The same in one line of at most so many columns. */
export function plainLine(text: string, columns = Number.POSITIVE_INFINITY): string {
  return cut(plain(text).replace(/\s+/g, " ").trim(), columns);
}

/** At most so many columns of a line; what does not fit is an ellipsis. */
export function cut(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(line)) {
    width += displayWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** JSON that says the same, and that a terminal only shows. */
export function plainJson(value: unknown): string {
  return visibleJson(JSON.stringify(value));
}
