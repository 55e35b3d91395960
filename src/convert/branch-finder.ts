/** A message of a tree. */
export interface Node {
  /** A number that grows from message to message. */
  place: number;
  id: string | undefined;
  /** Undefined for a message that is on every branch. */
  parentId: string | null | undefined;
}

/** Messages each of which follows the one before it. */
interface Run {
  start: number;
  end: number;
  parentId: string | null;
  /** Where the parent stands, if it is there. */
  parent?: number;
}

/** A message whose parent cannot be followed; the one before it was taken for it. */
export interface Guess {
  place: number;
  parentId: string;
  why: "missing" | "circle";
}

export interface Branch {
  /** Whether a message of the tree at this place is on another branch. */
  isOff(place: number): boolean;
  guesses: Guess[];
}

/**
 * Finds the way from the root of a tree to a leaf in two looks at its messages, and remembers only the places where one
 * does not follow the one before it.
 */
export class BranchFinder {
  readonly #leafId: string | undefined;
  readonly #runs: Run[] = [];
  readonly #places = new Map<string, number | undefined>();
  #last: Node | undefined;
  #leaf: number | undefined;
  #reached = 0;

  /** Without an id, the leaf is the last message. */
  constructor(leafId?: string) {
    this.#leafId = leafId;
  }

  add(node: Node): void {
    const { place, id, parentId } = node;
    if (parentId === undefined) return;
    const run = this.#runs.at(-1);
    if (run !== undefined && parentId !== null && parentId === this.#last?.id) run.end = place;
    else {
      this.#runs.push({ start: place, end: place, parentId });
      if (parentId !== null) this.#places.set(parentId, undefined);
    }
    this.#last = node;
    if (this.#leafId === undefined || id === this.#leafId) this.#leaf = place;
  }

  get hasLeaf(): boolean {
    return this.#leaf !== undefined;
  }

  get needsSecondPass(): boolean {
    return this.#places.size > 0;
  }

  /** An id that is there twice means the message before the one that names it, if any. */
  revisit({ place, id }: Node): void {
    const run = this.#runs[this.#reached];
    if (run !== undefined && run.start <= place) {
      this.#resolve(run);
      this.#reached++;
    }
    if (id !== undefined && this.#places.has(id)) this.#places.set(id, place);
  }

  finish(): Branch {
    const guesses: Guess[] = [];
    /** How far each run is on the branch, by its index. */
    const taken = new Map<number, number>();
    let next = this.#leaf;
    while (next !== undefined) {
      const index = this.#indexOf(next);
      const run = this.#runs[index];
      if (run === undefined) break;
      taken.set(index, Math.max(next, taken.get(index) ?? next));
      const { parentId, start } = run;
      if (parentId === null) break;
      if (run.parent === undefined) this.#resolve(run);
      next = run.parent;
      if (next !== undefined && next > (taken.get(this.#indexOf(next)) ?? -1)) continue;
      guesses.push({ place: start, parentId, why: next === undefined ? "missing" : "circle" });
      let before = index - 1;
      while (taken.has(before)) before--;
      next = this.#runs[before]?.end;
    }
    return { isOff: (place) => place > (taken.get(this.#indexOf(place)) ?? -1), guesses };
  }

  #resolve(run: Run): void {
    const place = run.parentId === null ? undefined : this.#places.get(run.parentId);
    if (place !== undefined) run.parent = place;
  }

  /** Of the last run that begins at this place or before it; -1 if there is none. */
  #indexOf(place: number): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#runs[middle]?.start ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
