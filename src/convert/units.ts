import type { JsonRecord } from "../core/dialect.js";

/** Collects what belongs together and hands it on when the next one does not. */
export class Grouper<T> {
  readonly #joins: (last: T, next: T) => boolean;
  #unit: T[] = [];

  constructor(joins: (last: T, next: T) => boolean) {
    this.#joins = joins;
  }

  /** Takes the next one; returns the unit that it closed, if it did. */
  push(next: T): T[] | undefined {
    const last = this.#unit.at(-1);
    if (last === undefined || this.#joins(last, next)) {
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
