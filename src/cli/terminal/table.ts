import { displayWidth } from "../../core/display-width.js";
import { wrap } from "../../markdown/word-wrap.js";
import { columnsOf } from "./columns.js";

/** Text is not wrapped at fewer columns. */
const NARROWEST = 10;

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

/** A table whose last column, without colours, is wrapped by words at the width of the terminal. */
export function wrappedTable(
  rows: readonly (readonly string[])[],
  columns = columnsOf(process.stdout),
): string[] {
  if (columns === undefined) return table(rows);
  const indent = widthOf(table(rows.map((row) => [...row.slice(0, -1), "|"]))[0] ?? "") - 1;
  const room = Math.max(columns - indent, NARROWEST);
  return table(
    rows.flatMap((row) => {
      const [first = "", ...more] = wrap(row.at(-1) ?? "", room);
      const blank = row.slice(1).map(() => "");
      return [[...row.slice(0, -1), first], ...more.map((line) => [...blank, line])];
    }),
  );
}

/**
 * A table with a row of heads. On a terminal that is too narrow for it, each row becomes a record:
 *
 *     ID     01JQ8Z
 *     SCOPE  read
 *
 * `whole` are the same rows without what was cut off or aligned for the table.
 */
export function listing(
  rows: readonly (readonly string[])[],
  columns = columnsOf(process.stdout),
  whole = rows,
): string[] {
  const lines = table(rows);
  if (columns === undefined || lines.every((line) => widthOf(line) <= columns)) return lines;
  const [heads = [], ...records] = whole;
  const indent = Math.max(...heads.map(widthOf)) + 2;
  return records.flatMap((record, index) => [
    ...(index === 0 ? [] : [""]),
    ...record.flatMap((cell, column) => {
      const head = heads[column] ?? "";
      const label = head + " ".repeat(indent - widthOf(head));
      const [first = "", ...more] = cell.includes("\u001b")
        ? [cell]
        : wrap(cell.trim(), Math.max(columns - indent, NARROWEST));
      return cell.trim() === "" ? [] : [label + first, ...more.map((line) => " ".repeat(indent) + line)];
    }),
  ]);
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
