import { displayWidth } from "../../core/display-width.js";
import { SafeText } from "./safe-text.js";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text of a stranger, whole, as a terminal can be given it. */
export function safe(text: string): string {
  const stream = new SafeText();
  return stream.push(text) + stream.end();
}

/** A text of a stranger in one line of at most so many columns. */
export function clip(text: string, columns: number): string {
  return cut(safe(text).replace(/\s+/g, " ").trim(), columns);
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
  return `${kept}…`;
}

/** `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
