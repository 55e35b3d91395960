import type { Atom } from "./atoms.js";
import type { Mark, Style } from "./style.js";

export interface Chunk {
  text: string;
  /** What a reader sees, for the fallback: it has no marks, and addresses stand behind their links. */
  plain: string;
}

type Limits = Pick<Style, "counts" | "maxMarks">;

/** Messages of at most `units` each, the first of at most `first`. What is open at the end of one is opened again in the next. */
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

/** The index behind the last atom of the message that begins at `start`. */
function endOf(atoms: readonly Atom[], start: number, limits: Limits, units: number): number {
  let length = 0;
  let marks = 0;
  let open: readonly Mark[] = [];
  let last: number | undefined;
  const good: (number | undefined)[] = [];
  for (let index = start; index < atoms.length; index++) {
    const atom = atoms[index];
    if (atom === undefined) break;
    length += limits.counts === "seen" ? atom.text.length : atom.written.length;
    if (atom.marks !== open) {
      const shared = sharedMarks(open, atom.marks);
      if (limits.counts === "written") length += lengthOf(atom.marks, shared);
      // The service cuts each mark where one within it begins or ends, and counts the parts.
      if (shared < Math.max(open.length, atom.marks.length)) marks += atom.marks.length;
      open = atom.marks;
    }
    const isFull = length > units || marks > limits.maxMarks;
    if (!isFull || atom.kind !== "word") {
      const end = isFull ? index : index + 1;
      if (atom.after > 0 && end > start) last = end;
      // A message that is half empty is no better than one that ends at a worse place.
      if (atom.after > 0 && length >= units / 2) good[atom.after] = end;
    }
    if (isFull) return good.findLast((end) => end !== undefined) ?? last ?? Math.max(index, start + 1);
  }
  return atoms.length;
}

function sharedMarks(left: readonly Mark[], right: readonly Mark[]): number {
  let count = 0;
  while (count < left.length && count < right.length && isSame(left[count], right[count])) count++;
  return count;
}

function isSame(left: Mark | undefined, right: Mark | undefined): boolean {
  return left?.open === right?.open && left?.close === right?.close;
}

function lengthOf(marks: readonly Mark[], from: number): number {
  let length = 0;
  for (const { open, close } of marks.slice(from)) length += open.length + close.length;
  return length;
}

const visible = /[^\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Undefined when there is nothing to see in it. */
function write(atoms: readonly Atom[], isInLine: boolean): Chunk | undefined {
  const lineOnly = atoms.findIndex(({ kind }) => kind === "word" || (kind === "space" && !isInLine));
  const end = atoms.findLastIndex(({ kind }) => kind === "word") + 1;
  const shown = atoms.slice(Math.max(lineOnly, 0), end);
  const seen = new Text();
  const text = new Text();
  let open: readonly Mark[] = [];
  for (const atom of shown) {
    const shared = sharedMarks(open, atom.marks);
    for (const { close } of open.slice(shared).reverse()) text.add(close);
    for (const { open: begin, seen: isSeen } of atom.marks.slice(shared)) {
      text.add(begin);
      if (isSeen === true) seen.add(begin);
    }
    open = atom.marks;
    text.add(atom.written);
    seen.add(atom.text);
  }
  for (const { close } of [...open].reverse()) text.add(close);
  return visible.test(seen.value) ? { text: text.value, plain: seen.value } : undefined;
}

class Text {
  value = "";

  add(part: string): void {
    this.value += part;
  }
}
