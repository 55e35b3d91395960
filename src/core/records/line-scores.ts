/** The confidence for a file of lines: the highest score, or 0 if any line scores 0. */
export function lineConfidence(lines: readonly unknown[], scoreOf: (line: unknown) => number): number {
  const scores = lines.map(scoreOf);
  return scores.includes(0) ? 0 : Math.max(0, ...scores);
}
