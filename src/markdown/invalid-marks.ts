import type { Atom } from "./atoms.js";
import { type Mark, sharedMarks } from "./style.js";

/** Removes marks that the platform would not recognise: from white space at their ends, and inside words. */
export function removeInvalidMarks(atoms: readonly Atom[]): Atom[] {
  const result = withoutMarksOnSpace(atoms);
  result.forEach((atom, index) => {
    const opened = sharedMarks(result[index - 1]?.marks ?? [], atom.marks);
    for (let level = atom.marks.length - 1; level >= opened; level--) {
      if (atom.marks[level]?.needs === "words") removeInsideWord(result, index, level);
    }
  });
  return result;
}

/** Removes the mark from all atoms from `start` that share it, if it starts or ends inside a word. */
function removeInsideWord(atoms: Atom[], start: number, level: number): void {
  const within = atoms[start]?.marks.slice(0, level + 1) ?? [];
  let end = start;
  while (end < atoms.length && sharedMarks(within, atoms[end]?.marks ?? []) === within.length) end++;
  const isPart =
    isLetter(atoms[start - 1], level, /[\p{L}\p{N}]$/u) || isLetter(atoms[end], level, /^[\p{L}\p{N}]/u);
  if (!isPart) return;
  for (let index = start; index < end; index++) {
    const atom = atoms[index];
    if (atom !== undefined) atoms[index] = { ...atom, marks: atom.marks.toSpliced(level, 1) };
  }
}

/** Whether the mark's neighbour is a letter, and not another mark. */
function isLetter(neighbour: Atom | undefined, level: number, pattern: RegExp): boolean {
  return neighbour !== undefined && neighbour.marks.length <= level && pattern.test(neighbour.written);
}

function withoutMarksOnSpace(atoms: readonly Atom[]): Atom[] {
  const result = [...atoms];
  let before: readonly Mark[] = [];
  let from = 0;
  for (let index = 0; index <= atoms.length; index++) {
    const atom = atoms[index];
    if (atom !== undefined && atom.kind !== "word") continue;
    const shared = sharedMarks(before, atom?.marks ?? []);
    const isLineEnd = result.slice(from, index).some(({ kind }) => kind === "line");
    for (let gap = from; gap < index; gap++) {
      const space = result[gap];
      if (space !== undefined) result[gap] = { ...space, marks: around(space.marks, shared, isLineEnd) };
    }
    before = atom?.marks ?? [];
    from = index + 1;
  }
  return result;
}

/** The marks of white space that continue after it. */
function around(marks: readonly Mark[], shared: number, isLineEnd: boolean): readonly Mark[] {
  const first = marks.findIndex(
    ({ needs }, level) => (needs !== undefined && level >= shared) || (needs === "words" && isLineEnd),
  );
  return first === -1 ? marks : marks.slice(0, first);
}
