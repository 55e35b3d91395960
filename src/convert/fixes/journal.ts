import type { Problem } from "../../core/dialect.js";
import type { SourceMessage } from "../decode.js";
import { type Finding, placesOf, type Spot, spotIn } from "../report.js";

/** One thing that `repair` changed. */
export interface Change {
  /** JSON pointer into the source. */
  at: string;
  line?: number;
  column?: number;
  /** The code of the problem it fixes. */
  code: string;
  what: string;
  before?: unknown;
  after?: unknown;
}

/** Text that has no place in the output. */
export interface Unplaced {
  line: number;
  text: string;
  why: string;
}

type Entry<T> = T & { spot: Spot };

/** What a repair changed, set aside and could not fix. */
export class Journal {
  readonly #changes: Entry<Omit<Change, "at" | "line" | "column">>[] = [];
  readonly #unplaced: Entry<Omit<Unplaced, "line">>[] = [];
  readonly #notes: Entry<Finding>[] = [];

  /** `path` points into the message. An added message has no source. */
  change(
    source: SourceMessage | undefined,
    path: readonly (string | number)[],
    change: Omit<Change, "at" | "line" | "column">,
  ): void {
    this.changeAt(source === undefined ? { at: "", line: 1, column: 1 } : spotIn(source, path), change);
  }

  changeAt(spot: Spot, change: Omit<Change, "at" | "line" | "column">): void {
    this.#changes.push({ spot, ...change });
  }

  setAside(spot: Spot, text: string, why: string): void {
    this.#unplaced.push({ spot, text, why });
  }

  note(spot: Spot, finding: Finding): void {
    this.#notes.push({ spot, ...finding });
  }

  /** Whether nothing was changed or set aside. */
  get isEmpty(): boolean {
    return this.#changes.length === 0 && this.#unplaced.length === 0;
  }

  /** All of it, in the order of the source. */
  finish(): { changes: Change[]; unplaced: Unplaced[]; notes: Problem[] } {
    return {
      changes: placed(this.#changes).map(({ spot, ...change }) => ({ ...spot, ...change })),
      unplaced: placed(this.#unplaced).map(({ spot, ...rest }) => ({ line: spot.line, ...rest })),
      notes: placed(this.#notes).map(({ spot, ...finding }) => ({ ...spot, ...finding })),
    };
  }
}

function placed<T extends { spot: Spot }>(entries: readonly T[]) {
  const places = placesOf(entries.map(({ spot }) => spot));
  return entries
    .flatMap((entry, index) => {
      const spot = places[index];
      return spot === undefined ? [] : [{ ...entry, spot }];
    })
    .sort((a, b) => a.spot.line - b.spot.line || a.spot.column - b.spot.column);
}
