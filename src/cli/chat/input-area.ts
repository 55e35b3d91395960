import { plainLine } from "../sessions/plain.js";
import type { Paint } from "../terminal/colour.js";
import { type Footer, footerLine } from "./footer.js";
import { inputRows } from "./input-rows.js";
import type { Bottom } from "./screen.js";
import { statusLine } from "./status.js";
import type { WorkStatus } from "./work.js";

export interface InputArea {
  /** How to answer the open question. */
  hint: string | undefined;
  status: WorkStatus | undefined;
  /** Messages that wait for the run in progress. */
  queued: number;
  /** The menu above the input line. */
  overlay: readonly string[];
  text: string;
  cursor: number;
  footer: Footer | undefined;
}

/** The lines at the bottom of a chat: hint or status, menu, input and footer. */
export function inputArea(area: InputArea, size: { columns: number; rows: number }, paint: Paint): Bottom {
  const { hint, status, queued, overlay, text, cursor, footer } = area;
  const { columns, rows } = size;
  const above = [""];
  if (hint !== undefined) above.push(paint("yellow", plainLine(hint, columns - 1)));
  else if (status !== undefined) above.push(statusLine({ ...status, queued }, columns, paint));
  above.push(...overlay);
  const room = { columns, rows: Math.max(Math.floor(rows / 2) - above.length, 1) };
  const input = inputRows(text, cursor, room, `${paint("cyan", "›")} `);
  const below = footer === undefined ? [] : [paint("dim", footerLine(footer, columns))];
  return {
    lines: [...above, ...input.lines, ...below],
    cursor: { row: above.length + input.cursor.row, column: input.cursor.column },
  };
}
