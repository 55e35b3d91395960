/** Collects items that belong together, and returns the unit when the next item does not. */
export class Grouper<T> {
  readonly #joins: (last: T, next: T) => boolean;
  #unit: T[] = [];
  #last: T | undefined;

  constructor(joins: (last: T, next: T) => boolean) {
    this.#joins = joins;
  }

  /** Returns the unit that this item closed, if any. */
  push(next: T): T[] | undefined {
    const last = this.#last;
    this.#last = next;
    if (last === undefined || this.#joins(last, next)) {
      this.#unit.push(next);
      return undefined;
    }
    const closed = this.#unit;
    this.#unit = [next];
    return closed;
  }

  /** Adds an item to the open unit, whatever it is. Returns false when no unit is open. */
  attach(one: T): boolean {
    if (this.#last === undefined) return false;
    this.#unit.push(one);
    return true;
  }

  finish(): T[] | undefined {
    const closed = this.#unit;
    this.#unit = [];
    this.#last = undefined;
    return closed.length > 0 ? closed : undefined;
  }
}

/** Cuts items into units, as a reader would. */
export function cut<T>(items: readonly T[], joins: (last: T, next: T) => boolean): T[][] {
  if (items.length === 1) return [[...items]];
  const grouper = new Grouper(joins);
  const units = items.flatMap((item) => {
    const closed = grouper.push(item);
    return closed === undefined ? [] : [closed];
  });
  const last = grouper.finish();
  return last === undefined ? units : [...units, last];
}
