import type { Problem } from "../../core/dialect.js";
import type { Paint } from "../terminal/colour.js";
import { shownLine } from "../terminal/shown-text.js";
import { table } from "../terminal/table.js";

/**
 *     session.jsonl:3:18  error    json/syntax       expected a value
 *       hint: …
 */
export function problemLines(problems: readonly Problem[], name: string, paint: Paint): string[] {
  const sorted = [...problems].sort(byPlace);
  const rows = table(sorted.map((problem) => row(problem, name, paint).map(shownLine)));
  return rows.flatMap((text, index) => {
    const hint = sorted[index]?.hint;
    return hint === undefined ? [text] : [text, `  ${shownLine(paint("dim", `hint: ${hint}`))}`];
  });
}

/** Syntax errors are found before semantic problems in the lines above them. */
function byPlace(a: Problem, b: Problem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function row({ at, line, column, severity, code, message }: Problem, name: string, paint: Paint): string[] {
  const place = line === undefined ? at : `${line}:${column ?? 1}`;
  const colour = severity === "error" ? "red" : "yellow";
  return [place === "" ? name : `${name}:${place}`, paint(colour, severity), code, message];
}
