import { type LineChange, lineChanges } from "./line-changes.js";

const CONTEXT = 3;

/**
 * The changes between two versions of a file, in the format that `patch` and `git apply` read.
 *
 * @example
 * unifiedDiff("a.txt", "one\n", "two\n"); // --- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  const hunks = groupChanges(lineChanges(a, b)).map((changes) => hunk(a, b, changes));
  return hunks.length === 0 ? "" : `--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
}

/** Each with its newline, if it has one. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Changes with adjacent or overlapping context share a hunk. */
function groupChanges(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.aStart - last.aEnd <= 2 * CONTEXT)
      group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunk(a: readonly string[], b: readonly string[], changes: readonly LineChange[]): string {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return "";
  const aStart = Math.max(0, first.aStart - CONTEXT);
  const aEnd = Math.min(a.length, last.aEnd + CONTEXT);
  const bStart = first.bStart - (first.aStart - aStart);
  const bEnd = last.bEnd + (aEnd - last.aEnd);
  const lines: string[] = [];
  let at = aStart;
  for (const change of changes) {
    lines.push(...markLines(" ", a.slice(at, change.aStart)));
    lines.push(...markLines("-", a.slice(change.aStart, change.aEnd)));
    lines.push(...markLines("+", b.slice(change.bStart, change.bEnd)));
    at = change.aEnd;
  }
  lines.push(...markLines(" ", a.slice(at, aEnd)));
  return `@@ -${range(aStart, aEnd)} +${range(bStart, bEnd)} @@\n${lines.join("")}`;
}

/** An empty range is given by the line before it. */
function range(start: number, end: number): string {
  return `${end > start ? start + 1 : start},${end - start}`;
}

function markLines(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) =>
    line.endsWith("\n") ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`,
  );
}
