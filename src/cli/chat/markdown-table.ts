import { displayWidth } from "../../core/display-width.js";
import { type Piece, takeInline } from "./inline.js";

type Alignment = "left" | "right" | "centre";

export interface TableStyle {
  width: number;
  keepMarks: boolean;
  painted(piece: Piece): string;
}

interface Cell {
  painted: string;
  width: number;
}

/** The lines of a table whose source lines these are; undefined when they are none. */
export function renderTable(lines: readonly string[], style: TableStyle): string[] | undefined {
  const [head = "", rule = "", ...body] = lines;
  const alignments = alignmentsOf(rule);
  if (alignments === undefined) return undefined;
  const header = cellsOf(head, style, ["bold"]);
  const rows = body.map((line) => cellsOf(line, style, []));
  const widths = alignments.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.width ?? 0), 1),
  );
  const total = widths.reduce((sum, width) => sum + width + 3, -3);
  if (total > style.width) return records(header, rows);
  const rendered = rows.map((row) => aligned(row, widths, alignments));
  return [
    aligned(header, widths, alignments),
    widths.map((width) => "─".repeat(width)).join("─┼─"),
    ...rendered,
  ];
}

/** `| :--- | ---: |` */
function alignmentsOf(rule: string): Alignment[] | undefined {
  const cells = split(rule);
  if (cells.length === 0 || !cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    if (!cell.endsWith(":")) return "left";
    return cell.startsWith(":") ? "centre" : "right";
  });
}

/** At the pipes that are not escaped; those at both ends enclose. */
function split(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function cellsOf(line: string, { keepMarks, painted }: TableStyle, styles: Piece["styles"]): Cell[] {
  return split(line).map((text) => {
    const { pieces } = takeInline(text, { complete: true, before: "", keepMarks });
    return {
      painted: pieces.map((piece) => painted({ ...piece, styles: [...styles, ...piece.styles] })).join(""),
      width: displayWidth(pieces.map((piece) => piece.text).join("")),
    };
  });
}

function aligned(row: readonly Cell[], widths: readonly number[], alignments: readonly Alignment[]): string {
  return widths
    .map((width, column) => {
      const cell = row[column] ?? { painted: "", width: 0 };
      const room = width - cell.width;
      const left = { left: 0, right: room, centre: Math.floor(room / 2) }[alignments[column] ?? "left"];
      return " ".repeat(left) + cell.painted + " ".repeat(room - left);
    })
    .join(" │ ")
    .trimEnd();
}

/** A table that is too wide, as one line for each cell. */
function records(header: readonly Cell[], rows: readonly (readonly Cell[])[]): string[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...row.map((cell, column) => `${header[column]?.painted ?? ""}: ${cell.painted}`),
  ]);
}
