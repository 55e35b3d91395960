import type { JsonRecord } from "../core/dialect.js";

/** Collects what belongs together and hands it on when the next one does not. */
export class Grouper<T> {
  readonly #joins: (unit: readonly T[], next: T) => boolean;
  #unit: T[] = [];

  constructor(joins: (unit: readonly T[], next: T) => boolean) {
    this.#joins = joins;
  }

  /** Takes the next one; returns the unit that it closed, if it did. */
  push(next: T): T[] | undefined {
    if (this.#unit.length === 0 || this.#joins(this.#unit, next)) {
      this.#unit.push(next);
      return undefined;
    }
    const closed = this.#unit;
    this.#unit = [next];
    return closed;
  }

  finish(): T[] | undefined {
    const closed = this.#unit;
    this.#unit = [];
    return closed.length > 0 ? closed : undefined;
  }
}

/** How a reader would cut these records into units. */
export function cut(records: readonly JsonRecord[], joins: (unit: readonly JsonRecord[], next: JsonRecord) => boolean): JsonRecord[][] {
  const grouper = new Grouper(joins);
  const units = records.flatMap((record) => {
    const closed = grouper.push(record);
    return closed === undefined ? [] : [closed];
  });
  const last = grouper.finish();
  return last === undefined ? units : [...units, last];
}
