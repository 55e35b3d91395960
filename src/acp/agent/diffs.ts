import type { Diff } from "../agent-messages.js";

/** The changes of a unified diff of one file, a diff for each hunk: the lines before and after, with their context. */
export function hunkDiffs(path: string, unified: string): Diff[] {
  const [, ...hunks] = unified.split(/^@@ [^\n]*\n/m);
  return hunks.map((hunk) => {
    const lines = linesOf(hunk);
    const side = (mark: string) =>
      lines
        .filter((line) => line[0] === " " || line[0] === mark)
        .map((line) => line.slice(1))
        .join("");
    return { type: "diff", path, oldText: side("-"), newText: side("+") };
  });
}

/** With their newlines; a line that is marked as having none loses it. */
function linesOf(hunk: string): string[] {
  const lines: string[] = [];
  for (const line of hunk.split("\n")) {
    if (line.startsWith("\\")) lines.push((lines.pop() ?? "").slice(0, -1));
    else if (line !== "") lines.push(`${line}\n`);
  }
  return lines;
}
