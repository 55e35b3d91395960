import type { TermTable } from "./term-table.js";

/** Terms are first sorted by their first two bytes, which leaves small groups to compare. */
const GROUPS = 1 << 16;

/** The numbers of all terms, in the order of their bytes. */
export function sortedTerms(terms: TermTable): Uint32Array {
  const groups = new Uint32Array(terms.count);
  const ends = new Uint32Array(GROUPS + 1);
  for (let term = 0; term < terms.count; term++) {
    const [first = 0, second = 0] = terms.bytesOf(term);
    const group = first * 256 + second;
    groups[term] = group;
    ends[group + 1] = (ends[group + 1] ?? 0) + 1;
  }
  for (let group = 0; group < GROUPS; group++) ends[group + 1] = (ends[group + 1] ?? 0) + (ends[group] ?? 0);
  const starts = ends.slice();
  const sorted = new Uint32Array(terms.count);
  for (let term = 0; term < terms.count; term++) {
    const group = groups[term] ?? 0;
    const at = ends[group] ?? 0;
    ends[group] = at + 1;
    sorted[at] = term;
  }
  const compare = (one: number, other: number) => compareBytes(terms.bytesOf(one), terms.bytesOf(other));
  for (let group = 0; group < GROUPS; group++) {
    const [from, to] = [starts[group] ?? 0, starts[group + 1] ?? 0];
    if (to - from > 1) sorted.subarray(from, to).sort(compare);
  }
  return sorted;
}

/** Negative if the first one comes first. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
