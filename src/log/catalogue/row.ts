import type { QueryResult } from "node-sqlite3-wasm";

/** Fields of a row. A type that the schema excludes means that the database is damaged. */

export function textIn(row: QueryResult, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new DamagedRow(column);
}

export function numberIn(row: QueryResult, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new DamagedRow(column);
}

/** A column that holds JSON. */
export function jsonIn<T>(row: QueryResult, column: string, guard: (value: unknown) => value is T): T {
  let value: unknown;
  try {
    value = JSON.parse(textIn(row, column));
  } catch (cause) {
    throw new DamagedRow(column, cause);
  }
  if (guard(value)) return value;
  throw new DamagedRow(column);
}

/** A row has an unexpected value. */
export class DamagedRow extends Error {
  constructor(column: string, cause?: unknown) {
    super(`the column ${column} has an unexpected value`, { cause });
  }
}
