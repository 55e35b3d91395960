import type { Diff } from "../agent-messages.js";

/** The changes of a unified diff of one file, a diff for each hunk: the lines before and after, with their context. */
export function hunkDiffs(path: string, unified: string): Diff[] {
  return hunksOf(unified).map((lines) => {
    const side = (mark: string) =>
      lines
        .filter((line) => line[0] === " " || line[0] === mark)
        .map((line) => line.slice(1))
        .join("");
    return { type: "diff", path, oldText: side("-"), newText: side("+") };
  });
}

/** The lines of each hunk, with their newlines; a line that is marked as having none loses it. */
function hunksOf(unified: string): string[][] {
  const hunks: string[][] = [];
  for (const line of unified.split("\n")) {
    const hunk = hunks.at(-1);
    if (line.startsWith("@@ ")) hunks.push([]);
    else if (line.startsWith("\\")) hunk?.push((hunk.pop() ?? "").slice(0, -1));
    else if (line !== "") hunk?.push(`${line}\n`);
  }
  return hunks;
}
