import { displayWidth } from "../../core/display-width.js";

/** Aligns columns, two spaces apart, without trailing spaces. Colour codes have no width. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)))
      .join("  ")
      .trimEnd(),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
const colourCodes = /\u001b\[\d+m/g;

function widthOf(cell: string): number {
  return displayWidth(cell.replace(colourCodes, ""));
}

const whole = new Intl.NumberFormat("en");

/** `1,234` */
export function format(count: number): string {
  return whole.format(count);
}

/** `1,234 messages`, `1 message`. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${format(count)} ${count === 1 ? thing : things}`;
}

/** ` 95%`, four columns wide. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`.padStart(4);
}
