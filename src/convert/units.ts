import type { Dialect, JsonRecord } from "../core/dialect.js";

/** Whether `next` belongs to the unit that starts with `first` and so far ends with `last`. */
type Joins<T> = (last: T, next: T, first: T) => boolean;

/** Collects items that belong together, and returns the unit when the next item does not. */
export class Grouper<T> {
  readonly #joins: Joins<T>;
  #unit: T[] = [];
  #last: T | undefined;

  constructor(joins: Joins<T>) {
    this.#joins = joins;
  }

  /** Returns the unit that this item closed, if any. */
  push(next: T): T[] | undefined {
    const last = this.#last;
    this.#last = next;
    const first = this.#unit[0] ?? next;
    if (last === undefined || this.#joins(last, next, first)) {
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
export function cut<T>(items: readonly T[], joins: Joins<T>): T[][] {
  if (items.length === 1) return [[...items]];
  const grouper = new Grouper(joins);
  const units: T[][] = [];
  for (const item of items) {
    const closed = grouper.push(item);
    if (closed !== undefined) units.push(closed);
  }
  const last = grouper.finish();
  if (last !== undefined) units.push(last);
  return units;
}

/** The `last` record for what follows `records` (`Dialect.isLink`); `before` is the one for `records`. */
export function lastLink(
  records: readonly JsonRecord[],
  before: JsonRecord | undefined,
  { isLink }: Pick<Dialect, "isLink">,
): JsonRecord | undefined {
  if (isLink === undefined) return records.at(-1) ?? before;
  for (let index = records.length - 1; index >= 0; index--) {
    const record = records[index];
    if (record !== undefined && isLink(record)) return record;
  }
  return before ?? records.at(-1);
}
