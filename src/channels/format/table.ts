import { displayWidth } from "../../core/display-width.js";
import { type Block, type Cell, plainText } from "./document.js";

/** What still fits on the screen of a telephone held sideways. */
const MAX_WIDTH = 60;

/** The table in columns, for a font whose characters are of one width; undefined when it is too wide for that. */
export function tableGrid({ header, rows }: Extract<Block, { type: "table" }>): string | undefined {
  const texts = [header, ...rows].map((cells) =>
    cells.map(({ content }) => plainText(content).replaceAll(/\s+/g, " ")),
  );
  const widths = header.map(() => 1);
  for (const cells of texts) {
    cells.forEach((text, column) => {
      widths[column] = Math.max(widths[column] ?? 1, displayWidth(text));
    });
  }
  if (widths.reduce((sum, width) => sum + width + 3, -3) > MAX_WIDTH) return undefined;
  const [head = "", ...body] = texts.map((cells) => row(cells, widths, header));
  return [head, widths.map((width) => "─".repeat(width)).join("─┼─"), ...body].join("\n");
}

function row(texts: readonly string[], widths: readonly number[], header: readonly Cell[]): string {
  return widths
    .map((width, column) => {
      const text = texts[column] ?? "";
      const room = width - displayWidth(text);
      const left = { left: 0, right: room, centre: Math.floor(room / 2) }[header[column]?.align ?? "left"];
      return " ".repeat(left) + text + " ".repeat(room - left);
    })
    .join(" │ ")
    .trimEnd();
}
