import { displayWidth } from "../../core/display-width.js";
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

/** Characters that JSON may hold as they are, and a terminal would obey or show in another order. */
const obeyed = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/** JSON that says the same, and that a terminal only shows. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
