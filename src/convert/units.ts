import type { JsonRecord } from "../core/dialect.js";

/** Collects what belongs together and hands it on when the next one does not. */
export class Grouper<T> {
  readonly #joins: (last: T, next: T) => boolean;
  #unit: T[] = [];
  #last: T | undefined;

  constructor(joins: (last: T, next: T) => boolean) {
    this.#joins = joins;
  }

  /** Takes the next one; returns the unit that it closed, if it did. */
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

  /** Adds one to the unit that is open, whatever it is. False when none is. */
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

/** How a reader would cut these records into units. */
export function cut(
  records: JsonRecord[],
  joins: (last: JsonRecord, next: JsonRecord) => boolean,
): JsonRecord[][] {
  if (records.length === 1) return [records];
  const grouper = new Grouper(joins);
  const units: JsonRecord[][] = [];
  for (const record of records) {
    const closed = grouper.push(record);
    if (closed !== undefined) units.push(closed);
  }
  const last = grouper.finish();
  if (last !== undefined) units.push(last);
  return units;
}
