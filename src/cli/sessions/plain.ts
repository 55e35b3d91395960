import { displayWidth } from "../../core/display-width.js";
import { visibleJson } from "../../core/json/visible.js";
import { SafeText } from "../chat/safe-text.js";

/** Text of a stranger that a terminal can be given. */
export function plain(text: string): string {
  const safe = new SafeText();
  return safe.push(text) + safe.end();
}

/** The same in one line of at most so many columns. */
export function plainLine(text: string, columns = Number.POSITIVE_INFINITY): string {
  const line = plain(text).replace(/\s+/g, " ").trim();
  if (displayWidth(line) <= columns) return line;
  let cut = "";
  for (const character of line) {
    if (displayWidth(cut + character) > columns - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** JSON that says the same, and that a terminal only shows. */
export function plainJson(value: unknown): string {
  return visibleJson(JSON.stringify(value));
}
