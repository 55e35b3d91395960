/** A line of formatted JSON. */
export interface JsonLine {
  text: string;
  /** For a line that opens an object or an array: the index of the line that closes it. */
  end?: number;
}

/** The lines of formatted JSON, and which of them can be folded. */
export function jsonLines(formatted: string): JsonLine[] {
  const lines: JsonLine[] = formatted.split("\n").map((text) => ({ text }));
  const open: JsonLine[] = [];
  for (const [at, line] of lines.entries()) {
    const last = line.text.at(-1);
    if (/^\s*[}\]]/.test(line.text)) {
      const opening = open.pop();
      if (opening !== undefined) opening.end = at;
    }
    if (last === "{" || last === "[") open.push(line);
  }
  return lines;
}

/** The indices of the lines on display: what is between the ends of a folded line is not. */
export function shownLines(lines: readonly JsonLine[], folded: ReadonlySet<number>): number[] {
  const shown: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    shown.push(at);
    const end = lines[at]?.end;
    if (end !== undefined && folded.has(at)) at = end;
  }
  return shown;
}
