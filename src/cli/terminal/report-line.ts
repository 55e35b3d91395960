import { displayWidth } from "../../core/display-width.js";
import { wrap } from "../../markdown/word-wrap.js";
import { columnsOf } from "./columns.js";
import { shownText } from "./shown-text.js";

/** Prints a line for the user to standard error; results go to standard output instead. A terminal gets it wrapped by words. */
export function reportLine(line: string): void {
  process.stderr.write(`${fitted(shownText(line), columnsOf(process.stderr))}\n`);
}

/** Lines with colours and rows of tables are not wrapped: their spaces matter. */
function fitted(text: string, columns: number | undefined): string {
  const isLaidOut = ["\n", "\u001b", "  "].some((mark) => text.includes(mark));
  if (columns === undefined || isLaidOut || displayWidth(text) <= columns) return text;
  return wrap(text, columns).join("\n");
}
