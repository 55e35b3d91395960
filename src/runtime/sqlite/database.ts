import { setTimeout } from "node:timers/promises";
import { DragomanError } from "../../core/error.js";
import { damaged } from "./damaged.js";
import { columnsIn, indexedColumn, primaryKeyIn } from "./definition.js";
import type { Value } from "./record.js";
import { Snapshot } from "./snapshot.js";
import { type TableRow, Trees } from "./tree.js";

const ATTEMPTS = 20;
const RETRY_MS = 60;
const SCHEMA_ROOT = 1;
const UTF_8 = 1;

/** A row by the names of its columns. Columns that were added after the row was written are absent. */
export type Row = Readonly<Record<string, Value>>;

/** A table of a database. */
export interface Table {
  /** All rows, by number. */
  rows(): Iterable<Row>;
  /** The numbers of the rows with a text in an indexed column. */
  idsWith(column: string, text: string): number[];
  /** A row by its number. */
  row(id: number): Row | undefined;
  /** The same without the columns that are too far from the beginning: fast for rows with a lot of text. */
  beginning(id: number): Row | undefined;
}

/** The tables of a database. */
export interface Tables {
  isEmpty: boolean;
  get(name: string): Table | undefined;
}

/**
 * Reads a SQLite database that another program may be writing. `work` sees one moment of it, and is repeated if the program
 * replaces pages meanwhile. The database is neither locked nor changed.
 *
 * @example
 * const titles = await readDatabase(path, (tables) => [...(tables.get("session")?.rows() ?? [])].map(({ title }) => title));
 */
export async function readDatabase<T>(path: string, work: (tables: Tables) => T): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = readOnce(path, work);
    if (result !== undefined) return result.value;
    await setTimeout(RETRY_MS);
  }
  throw new DragomanError("log/unreadable", `${path} is being written`, { hint: "try again later" });
}

/** Undefined if the database was changed meanwhile. */
function readOnce<T>(path: string, work: (tables: Tables) => T): { value: T } | undefined {
  const snapshot = new Snapshot(path);
  try {
    if (!snapshot.isQuiet) return undefined;
    const value = work(tablesOf(snapshot));
    return snapshot.hasChanged() ? undefined : { value };
  } catch (error) {
    if (snapshot.hasChanged()) return undefined;
    // A number in a damaged page leads out of the page.
    throw error instanceof RangeError ? damaged(path, error.message) : error;
  } finally {
    snapshot.close();
  }
}

function tablesOf(snapshot: Snapshot): Tables {
  if (snapshot.isEmpty) return { isEmpty: true, get: () => undefined };
  const encoding = snapshot.page(1).readUInt32BE(56);
  if (encoding > UTF_8) throw damaged(snapshot.path, "its texts are not in UTF-8");
  const trees = new Trees(snapshot);
  const schema = [...trees.rows(SCHEMA_ROOT)].map(({ values }) => values);
  return {
    isEmpty: schema.length === 0,
    get(wanted) {
      const found = schema.find(([type, name]) => type === "table" && name === wanted);
      const [, , , root, sql] = found ?? [];
      if (typeof root !== "number" || typeof sql !== "string") return undefined;
      return tableAt(trees, root, columnsIn(sql), indexesOf(wanted, sql, schema));
    },
  };
}

/** The indexes of a table that list all its rows, by their first column. */
function indexesOf(table: string, definition: string, schema: readonly Value[][]): Map<string, number> {
  const indexes = new Map<string, number>();
  const own = schema.filter(([type, , owner]) => type === "index" && owner === table);
  // SQLite makes an index for each key without stating its columns.
  const isOnly = own.filter(([, , , , sql]) => sql === null).length === 1;
  for (const [, , , root, sql] of own) {
    const key = isOnly ? primaryKeyIn(definition) : undefined;
    const column = typeof sql === "string" ? indexedColumn(sql) : key;
    if (column !== undefined && typeof root === "number") indexes.set(column, root);
  }
  return indexes;
}

function tableAt(
  trees: Trees,
  root: number,
  columns: readonly string[],
  indexes: ReadonlyMap<string, number>,
): Table {
  const named = ({ values }: TableRow): Row =>
    Object.fromEntries(values.map((value, index) => [columns[index] ?? index, value]));
  const read = (id: number, beginning: boolean) => {
    const row = trees.row(root, id, beginning);
    return row === undefined ? undefined : named(row);
  };
  return {
    *rows() {
      for (const row of trees.rows(root)) yield named(row);
    },
    idsWith(column, text) {
      const index = indexes.get(column);
      if (index === undefined) throw new DragomanError("log/unreadable", `there is no index of ${column}`);
      return trees.rowIds(index, text);
    },
    row: (id) => read(id, false),
    beginning: (id) => read(id, true),
  };
}
