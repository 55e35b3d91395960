import type { Cell } from "./document.js";

/** A cell's text and its width in columns. */
export interface WrittenCell {
  text: string;
  width: number;
}

/** The lines of a table for a monospaced font; undefined if it is wider than `maxWidth`. The first row is the header. */
export function tableGrid(
  rows: readonly WrittenCell[][],
  aligns: readonly Cell["align"][],
  maxWidth: number,
): string[] | undefined {
  const widths = aligns.map(() => 1);
  for (const cells of rows) {
    cells.forEach(({ width }, column) => {
      widths[column] = Math.max(widths[column] ?? 1, width);
    });
  }
  if (widths.reduce((sum, width) => sum + width + 3, -3) > maxWidth) return undefined;
  const [head = "", ...body] = rows.map((cells) => row(cells, widths, aligns));
  return [head, widths.map((width) => "─".repeat(width)).join("─┼─"), ...body];
}

function row(
  cells: readonly WrittenCell[],
  widths: readonly number[],
  aligns: readonly Cell["align"][],
): string {
  return widths
    .map((columns, column) => {
      const { text, width } = cells[column] ?? { text: "", width: 0 };
      const room = columns - width;
      const left = { left: 0, right: room, centre: Math.floor(room / 2) }[aligns[column] ?? "left"];
      return " ".repeat(left) + text + " ".repeat(room - left);
    })
    .join(" │ ")
    .trimEnd();
}
