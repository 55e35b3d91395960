import { damaged } from "./damaged.js";
import { readRecord, readVarint, type Value } from "./record.js";
import type { Snapshot } from "./snapshot.js";

const INDEX_INNER = 2;
const TABLE_INNER = 5;
const INDEX_LEAF = 10;
const TABLE_LEAF = 13;
/** The first page of the file begins with the header of the database. */
const FILE_HEADER_BYTES = 100;
/** A deeper tree is damaged: even the largest database needs fewer levels. */
const MAX_DEPTH = 40;

/** A page of a tree: a type, and the places of its cells in order. */
interface Node {
  page: Buffer;
  type: number;
  cells: number;
  /** Where the places of cells are. */
  places: number;
}

/** A row of a table. */
export interface TableRow {
  id: number;
  values: Value[];
}

/** Reads the trees of a database. A table is a tree of rows by their number, an index a tree of records in order. */
export class Trees {
  readonly #snapshot: Snapshot;
  readonly #usable: number;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#usable = snapshot.pageSize - snapshot.page(1).readUInt8(20);
  }

  /** All rows of a table, by number. */
  *rows(root: number, depth = 0): Generator<TableRow> {
    const node = this.#node(root, depth);
    for (let index = 0; index < node.cells; index++) {
      const at = cellAt(node, index);
      if (node.type === TABLE_LEAF) yield this.#row(node.page, at, false);
      else yield* this.rows(node.page.readUInt32BE(at), depth + 1);
    }
    if (node.type !== TABLE_LEAF) yield* this.rows(lastChild(node), depth + 1);
  }

  /** The row with a number. With `beginning`, only the values that are in the row's first page. */
  row(root: number, id: number, beginning = false): TableRow | undefined {
    let number = root;
    for (let depth = 0; ; depth++) {
      const node = this.#node(number, depth);
      const index = firstCell(node, (at) => rowIdAt(node, at) >= id);
      const at = index < node.cells ? cellAt(node, index) : undefined;
      if (node.type === TABLE_LEAF) {
        return at === undefined || rowIdAt(node, at) !== id ? undefined : this.#row(node.page, at, beginning);
      }
      number = at === undefined ? lastChild(node) : node.page.readUInt32BE(at);
    }
  }

  /** The numbers of the rows that an index lists for a text in its first column, in the order of the index. */
  *rowIds(root: number, text: string, depth = 0): Generator<number> {
    const node = this.#node(root, depth);
    const isLeaf = node.type === INDEX_LEAF;
    const keyAt = (at: number) => this.#indexRecord(node.page, isLeaf ? at : at + 4);
    for (
      let index = firstCell(node, (at) => compareText(keyAt(at)[0], text) >= 0);
      index < node.cells;
      index++
    ) {
      const at = cellAt(node, index);
      if (!isLeaf) yield* this.rowIds(node.page.readUInt32BE(at), text, depth + 1);
      const key = keyAt(at);
      if (compareText(key[0], text) !== 0) return;
      const id = key.at(-1);
      if (typeof id !== "number") throw this.#damaged("an index does not end with a row's number");
      yield id;
    }
    if (!isLeaf) yield* this.rowIds(lastChild(node), text, depth + 1);
  }

  #node(number: number, depth: number): Node {
    if (depth > MAX_DEPTH) throw this.#damaged("a tree contains itself");
    const page = this.#snapshot.page(number);
    const begin = number === 1 ? FILE_HEADER_BYTES : 0;
    const type = page.readUInt8(begin);
    const isLeaf = type === TABLE_LEAF || type === INDEX_LEAF;
    if (!isLeaf && type !== TABLE_INNER && type !== INDEX_INNER) {
      throw this.#damaged(`page ${number} has the unknown type ${type}`);
    }
    return { page, type, cells: page.readUInt16BE(begin + 3), places: begin + (isLeaf ? 8 : 12) };
  }

  #row(page: Buffer, at: number, beginning: boolean): TableRow {
    const [size, afterSize] = readVarint(page, at);
    const [id, begin] = readVarint(page, afterSize);
    return { id, values: readRecord(this.#payload(page, begin, size, this.#usable - 35, beginning)) };
  }

  #indexRecord(page: Buffer, at: number): Value[] {
    const [size, begin] = readVarint(page, at);
    const most = Math.floor(((this.#usable - 12) * 64) / 255) - 23;
    return readRecord(this.#payload(page, begin, size, most, false));
  }

  /** A record that does not fit in its page continues in a chain of other pages. */
  #payload(page: Buffer, begin: number, size: number, most: number, beginning: boolean): Buffer {
    if (size <= most) return page.subarray(begin, begin + size);
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const rest = least + ((size - least) % (this.#usable - 4));
    const local = rest <= most ? rest : least;
    const chunks = [page.subarray(begin, begin + local)];
    if (beginning) return chunks[0] ?? page;
    let next = page.readUInt32BE(begin + local);
    for (let left = size - local; left > 0; left -= this.#usable - 4) {
      const more = this.#snapshot.page(next);
      chunks.push(more.subarray(4, 4 + Math.min(left, this.#usable - 4)));
      next = more.readUInt32BE(0);
    }
    return Buffer.concat(chunks);
  }

  #damaged(problem: string) {
    return damaged(this.#snapshot.path, problem);
  }
}

function cellAt({ page, places }: Node, index: number): number {
  return page.readUInt16BE(places + 2 * index);
}

function lastChild({ page, places }: Node): number {
  return page.readUInt32BE(places - 4);
}

function rowIdAt({ page, type }: Node, at: number): number {
  const begin = type === TABLE_LEAF ? readVarint(page, at)[1] : at + 4;
  return readVarint(page, begin)[0];
}

/** The index of the first cell for which `isLate` is true, which it is for all cells after it. */
function firstCell(node: Node, isLate: (at: number) => boolean): number {
  let low = 0;
  let high = node.cells;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isLate(cellAt(node, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The order of an index: nothing, numbers, texts by their bytes, blobs. */
function compareText(value: Value | undefined, text: string): number {
  if (typeof value === "string")
    return value === text ? 0 : Buffer.compare(Buffer.from(value), Buffer.from(text));
  return value instanceof Uint8Array ? 1 : -1;
}
