/** The name that was probably meant: one with this prefix, or one at most two typos away. */
export function suggest(typed: string, names: readonly string[]): string | undefined {
  const begun = names.filter((name) => name.startsWith(typed));
  if (begun.length > 0) return begun[0];
  const [best] = names
    .map((name) => ({ name, editDistance: slips(typed, name) }))
    .filter((candidate) => candidate.editDistance <= 2)
    .sort((a, b) => a.editDistance - b.editDistance);
  return best?.name;
}

/** The edit distance, with swapped neighbours as one edit. */
function slips(typed: string, name: string): number {
  const table: number[][] = [];
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= typed.length; i++) {
    const row: number[] = [];
    table.push(row);
    for (let j = 0; j <= name.length; j++) {
      if (i === 0 || j === 0) {
        row.push(i + j);
        continue;
      }
      const same = typed[i - 1] === name[j - 1];
      const swapped = i > 1 && j > 1 && typed[i - 1] === name[j - 2] && typed[i - 2] === name[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (same ? 0 : 1),
          swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(typed.length, name.length);
}
