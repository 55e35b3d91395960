import type { Figure, Row } from "./case.js";

/** The rows as a table, with numbers aligned right and each aim beside its number. */
export function table(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const lines = [
    ["", ...columns],
    ...rows.map(({ label, figures }) => [label, ...columns.map((column) => cell(figures[column]))]),
  ];
  const widths = ["", ...columns].map((_, index) =>
    Math.max(...lines.map((line) => (line[index] ?? "").length)),
  );
  return lines
    .map((line) =>
      line
        .map((text, index) => (index === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[index] ?? 0)))
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}

export function isMet(figure: Figure): boolean {
  if (typeof figure === "number") return true;
  return "atMost" in figure ? figure.value <= figure.atMost : figure.value >= figure.atLeast;
}

function cell(figure: Figure | undefined): string {
  if (figure === undefined) return "";
  if (typeof figure === "number") return number(figure);
  return `${number(figure.value)} (${aimOf(figure)}) ${isMet(figure) ? "✓" : "✗"}`;
}

/** `≤ 1.25`, or nothing. */
export function aimOf(figure: Figure): string {
  if (typeof figure === "number") return "";
  return "atMost" in figure ? `≤ ${figure.atMost}` : `≥ ${figure.atLeast}`;
}

export function number(value: number): string {
  if (value < 0) return `-${number(-value)}`;
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : value >= 0.1 ? 2 : 4);
}
