import type { LeafRole } from "../core/dialect.js";
import { LatestMap } from "../core/latest-map.js";

/** A message in a tree. */
export interface Node {
  /** Increases from message to message. */
  place: number;
  id: string | undefined;
  /** Undefined for a message that is on every branch. */
  parentId: string | null | undefined;
  /** Default: `leaf`. */
  leafRole?: LeafRole | undefined;
}

/** Consecutive messages, each the child of the one before it. */
interface Run {
  start: number;
  end: number;
  parentId: string | null;
  /** The parent's place, if the parent exists. */
  parent?: number;
}

/** A message whose parent cannot be followed; the message before it is used instead. */
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

/** How many of the latest messages are remembered by id, at least. Most branches start close to where they are left. */
const REMEMBERED = 10_000;

/**
 * Finds the path from a tree's root to a leaf in two passes over its messages. It remembers only the places where a
 * message is not the child of the one before it, and the latest messages: if every parent is one of these, one pass is
 * enough.
 */
export class BranchFinder {
  readonly #leafId: string | undefined;
  readonly #runs: Run[] = [];
  readonly #places = new Map<string, number | undefined>();
  #last: Node | undefined;
  /** The place of the last message that can be the leaf, or follows it. */
  #leaf: number | undefined;
  /** The leaf that a record names, unless a message that can be the leaf follows it. */
  #named: string | undefined;
  /** The place of the given leaf. */
  #given: number | undefined;
  /** The index of the next run in the second pass; undefined before it. */
  #reached: number | undefined;
  /** The places of the latest messages; undefined if `add` is not called with every message. */
  readonly #latest: LatestMap<number> | undefined;
  #isUnresolved = false;

  /**
   * The leaf (default: the one that the messages define, otherwise the last message). `isPartial` is true if `add` is not
   * called with every message, but `revisit` is.
   */
  constructor(leafId?: string, isPartial = false) {
    this.#leafId = leafId;
    this.#latest = isPartial ? undefined : new LatestMap(REMEMBERED);
  }

  add(node: Node): void {
    this.#addToTree(node);
    const { place, id } = node;
    if (id === undefined || this.#latest === undefined) return;
    if (this.#places.has(id)) this.#places.set(id, place);
    this.#latest.set(id, place);
  }

  #addToTree(node: Node): void {
    const { place, id, parentId, leafRole = "leaf" } = node;
    if (typeof leafRole === "object") this.#name(leafRole.id);
    if (parentId === undefined) return;
    const run = this.#runs.at(-1);
    const follows = run !== undefined && parentId !== null && parentId === this.#last?.id;
    if (follows) run.end = place;
    else {
      const parent = parentId === null ? undefined : this.#refer(parentId);
      this.#runs.push({ start: place, end: place, parentId, ...(parent === undefined ? {} : { parent }) });
    }
    const isTail = leafRole === "tail" && follows && this.#last?.place === this.#leaf;
    if (leafRole === "leaf" || isTail) this.#leaf = place;
    if (leafRole === "leaf") this.#named = undefined;
    if (id !== undefined && id === this.#leafId) this.#given = place;
    this.#last = node;
  }

  #name(id: string): void {
    this.#named = id;
    this.#refer(id);
  }

  /** Watches for an id that a message refers to. Returns the place of the last message so far that has it, if known. */
  #refer(id: string): number | undefined {
    const place = this.#latest?.get(id) ?? this.#places.get(id);
    this.#places.set(id, place);
    if (place === undefined) this.#isUnresolved = true;
    return place;
  }

  /** Whether the given leaf was found. */
  get hasLeaf(): boolean {
    return this.#given !== undefined;
  }

  get needsSecondPass(): boolean {
    return this.#isUnresolved;
  }

  /** The second pass. A duplicate id means its last occurrence before the message that refers to it, if any. */
  revisit({ place, id }: Node): void {
    this.#reached ??= this.#startSecondPass();
    const run = this.#runs[this.#reached];
    if (run !== undefined && run.start <= place) {
      this.#resolve(run);
      this.#reached++;
    }
    if (id !== undefined && this.#places.has(id)) this.#places.set(id, place);
  }

  #startSecondPass(): number {
    for (const id of this.#places.keys()) this.#places.set(id, undefined);
    for (const run of this.#runs) delete run.parent;
    return 0;
  }

  finish(): Branch {
    const named = this.#named === undefined ? undefined : this.#places.get(this.#named);
    return this.#branchTo(this.#given ?? named ?? this.#leaf ?? this.#last?.place);
  }

  #branchTo(leaf: number | undefined): Branch {
    const guesses: Guess[] = [];
    /** The last place of each run that is on the branch, by the run's index. */
    const taken = new Map<number, number>();
    let next = leaf;
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
      // Also if a damaged file has places that decrease, so that another run is found there: each is used once.
      if (next !== undefined) taken.set(before, next);
    }
    return { isOff: (place) => place > (taken.get(this.#indexOf(place)) ?? -1), guesses };
  }

  #resolve(run: Run): void {
    const place = run.parentId === null ? undefined : this.#places.get(run.parentId);
    if (place !== undefined) run.parent = place;
  }

  /** The index of the last run that starts at or before this place; -1 if there is none. */
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
