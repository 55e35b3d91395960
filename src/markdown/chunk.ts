import type { Atom } from "./atoms.js";
import { type Mark, type Style, sharedMarks } from "./style.js";

export interface Chunk {
  text: string;
  /** The visible text without marks, for the fallback; URLs follow their links. */
  plain: string;
}

type Limits = Pick<Style, "counts" | "maxMarks">;

/** Splits into messages of at most `units`, the first of at most `first`. Marks that are open at a split continue in the next. */
export function chunk(atoms: readonly Atom[], limits: Limits, units: number, first: number): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  while (start < atoms.length) {
    const end = endOf(atoms, start, limits, chunks.length === 0 ? first : units);
    const written = write(atoms.slice(start, end), start > 0 && atoms[start - 1]?.kind !== "line");
    if (written !== undefined) chunks.push(written);
    start = end;
  }
  return chunks;
}

/** The end index of the message that starts at `start`. */
function endOf(atoms: readonly Atom[], start: number, limits: Limits, units: number): number {
  let length = 0;
  let marks = 0;
  let open: readonly Mark[] = [];
  let last: number | undefined;
  const good: (number | undefined)[] = [];
  for (let index = start; index < atoms.length; index++) {
    const atom = atoms[index];
    if (atom === undefined) break;
    length += limits.counts === "visible" ? atom.text.length : atom.written.length;
    if (atom.marks !== open) {
      const shared = sharedMarks(open, atom.marks);
      if (limits.counts === "written") length += lengthOf(atom.marks, shared);
      // Marks that start here, and parts of marks that the platform splits here.
      if (shared < Math.max(open.length, atom.marks.length)) {
        marks += atom.marks.filter(({ isCut }, level) => level >= shared || isCut).length;
      }
      open = atom.marks;
    }
    const isFull = length > units || marks > limits.maxMarks;
    if (!isFull || atom.kind !== "word") {
      const end = isFull ? index : index + 1;
      if (atom.after > 0 && end > start) last = end;
      // A good place to end does not justify a message that is less than half full.
      if (atom.after > 0 && length >= units / 2) good[atom.after] = end;
    }
    if (isFull) return good.findLast((end) => end !== undefined) ?? last ?? Math.max(index, start + 1);
  }
  return atoms.length;
}

function lengthOf(marks: readonly Mark[], from: number): number {
  let length = 0;
  for (const { open, close } of marks.slice(from)) length += open.length + close.length;
  return length;
}

const visible = /[^\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Undefined if nothing in it is visible. */
function write(atoms: readonly Atom[], isInLine: boolean): Chunk | undefined {
  let text = "";
  let plain = "";
  let open: readonly Mark[] = [];
  for (const atom of withoutEnds(atoms, isInLine)) {
    const shared = sharedMarks(open, atom.marks);
    text += closing(open, shared);
    for (const mark of atom.marks.slice(shared)) {
      text += mark.open;
      if (mark.isVisible === true) plain += mark.open;
    }
    open = atom.marks;
    text += atom.written;
    plain += atom.text;
  }
  return visible.test(plain) ? { text: text + closing(open, 0), plain } : undefined;
}

function closing(marks: readonly Mark[], from: number): string {
  return marks
    .slice(from)
    .reverse()
    .map(({ close }) => close)
    .join("");
}

/** Trims white space at both ends, but keeps the indentation of the first line. */
function withoutEnds(atoms: readonly Atom[], isInLine: boolean): readonly Atom[] {
  const word = atoms.findIndex(({ kind }) => kind === "word");
  let start = word;
  while (atoms[start - 1]?.kind === "space") start--;
  if (start === 0 && isInLine) start = word;
  return word === -1 ? [] : atoms.slice(start, atoms.findLastIndex(({ kind }) => kind === "word") + 1);
}
