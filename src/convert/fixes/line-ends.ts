import type { Dialect } from "../../core/dialect.js";
import type { Journal } from "./journal.js";

const BOM = "\uFEFF";

/** Records what rewriting a file removes between its records: a byte order mark and blank lines. */
export function noteLineEnds(text: string, { framing }: Dialect, journal: Journal): void {
  const note = (line: number, code: string, what: string) =>
    journal.changeAt({ at: "", line, column: 1 }, { code, what });
  if (text.startsWith(BOM)) note(1, "framing/bom", "removed the byte order mark");
  if (framing.kind !== "lines") return;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const blank = lines.flatMap((line, index) => (line.trim() === "" ? [index + 1] : []));
  const [first, ...others] = blank;
  const what = `removed ${blank.length} blank line${others.length === 0 ? "" : "s"}`;
  if (first !== undefined) note(first, "framing/blank-line", what);
}
