const SHOWN = 200;
const MAX_COMPARED_LINES = 50;

/** A message for the model: which part of the file a text that was not found most likely refers to. */
export function nearestText(text: string, wanted: string): string {
  const lines = text.split("\n");
  const wantedLines = wanted.split("\n");
  while (wantedLines.length > 1 && wantedLines[0]?.trim() === "") wantedLines.shift();
  while (wantedLines.length > 1 && wantedLines.at(-1)?.trim() === "") wantedLines.pop();
  const [first = ""] = wantedLines;
  if (first.trim() === "") return "it is only white space; include some of the text around it";
  const compared = wantedLines.slice(0, MAX_COMPARED_LINES).map((line) => line.trim());
  const same = lines.findIndex((_, at) => compared.every((line, i) => lines[at + i]?.trim() === line));
  if (same !== -1) {
    const other = wantedLines.findIndex((line, i) => lines[same + i] !== line);
    const at = same + Math.max(0, other);
    return `it matches at line ${same + 1} except for white space; line ${at + 1} is ${quote(lines[at] ?? "")}`;
  }
  const nearest = mostSimilar(lines, first.trim());
  return nearest === undefined
    ? "no line is like its first line; read the file again"
    : `the line most like its first line is line ${nearest + 1}: ${quote(lines[nearest] ?? "")}`;
}

function mostSimilar(lines: readonly string[], wanted: string): number | undefined {
  const pairs = pairsOf(wanted);
  let best: number | undefined;
  let bestScore = 0.5;
  for (const [index, line] of lines.entries()) {
    const score = similarity(pairs, pairsOf(line.trim()));
    if (score > bestScore) [best, bestScore] = [index, score];
  }
  return best;
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < Math.min(text.length, SHOWN); at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** The share of letter pairs that both have, from 0 to 1. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let common = 0;
  for (const pair of b) if (a.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}

function quote(line: string): string {
  return JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
}
