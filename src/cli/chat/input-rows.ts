import { displayWidth } from "../../core/display-width.js";
import { graphemes } from "../../core/graphemes.js";
import type { Bottom } from "./screen.js";

const control = /\p{C}/gu;

/** The typed text broken into rows, with the cursor. No row fills the terminal. */
export function inputRows(
  text: string,
  cursor: number,
  size: { columns: number; rows: number },
  prompt: string,
): Bottom {
  const width = size.columns - 3;
  const rows = [""];
  let at = { row: 0, column: 0 };
  let column = 0;
  const breakRow = () => {
    rows.push("");
    column = 0;
  };
  for (const { segment, index } of graphemes(text)) {
    if (index <= cursor) at = { row: rows.length - 1, column };
    if (segment === "\n") {
      breakRow();
      continue;
    }
    const shown = segment === "\t" ? "  " : segment.replace(control, "\ufffd");
    const columns = displayWidth(shown);
    if (column + columns > width) breakRow();
    if (index <= cursor) at = { row: rows.length - 1, column };
    rows[rows.length - 1] += shown;
    column += columns;
  }
  if (cursor >= text.length) at = { row: rows.length - 1, column };
  // If the text does not fit, show the part around the cursor.
  const first = Math.max(0, Math.min(at.row - size.rows + 1, rows.length - size.rows));
  const lines = rows.slice(first, first + size.rows);
  return {
    lines: lines.map((row, index) => `${first + index === 0 ? prompt : "  "}${row}`),
    cursor: { row: at.row - first, column: at.column + 2 },
  };
}
