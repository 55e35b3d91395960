import { damaged } from "./damaged.js";
import { compareFirst, readRecord, readVarint, type Value } from "./record.js";
import type { Snapshot } from "./snapshot.js";

const INDEX_INNER = 2;
const TABLE_INNER = 5;
const INDEX_LEAF = 10;
const TABLE_LEAF = 13;
/** The first page of the file begins with the header of the database. */
const FILE_HEADER_BYTES = 100;
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
  readonly #longest: number;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#longest = snapshot.bytes;
    this.#usable = snapshot.pageSize - snapshot.page(1).readUInt8(20);
  }

  /** All rows of a table, by number. */
  *rows(root: number, visited = new Set<number>()): Generator<TableRow> {
    const node = this.#node(root, visited);
    for (let index = 0; index < node.cells; index++) {
      const at = cellAt(node, index);
      if (node.type === TABLE_LEAF) yield this.#row(node.page, at, false);
      else yield* this.rows(node.page.readUInt32BE(at), visited);
    }
    if (node.type !== TABLE_LEAF) yield* this.rows(lastChild(node), visited);
  }

  /** The row with a number. With `beginning`, only the values that are in the row's first page. */
  row(root: number, id: number, beginning = false): TableRow | undefined {
    let number = root;
    for (const visited = new Set<number>(); ; ) {
      const node = this.#node(number, visited);
      const index = firstCell(node, (at) => rowIdAt(node, at) >= id);
      const at = index < node.cells ? cellAt(node, index) : undefined;
      if (node.type === TABLE_LEAF) {
        return at === undefined || rowIdAt(node, at) !== id ? undefined : this.#row(node.page, at, beginning);
      }
      number = at === undefined ? lastChild(node) : node.page.readUInt32BE(at);
    }
  }

  /** The numbers of the rows that an index lists for a text in its first column, in the order of the index. */
  rowIds(root: number, text: string): number[] {
    const ids: number[] = [];
    this.#collect(root, Buffer.from(text), ids, new Set());
    return ids;
  }

  #collect(root: number, text: Buffer, ids: number[], visited: Set<number>): void {
    const node = this.#node(root, visited);
    const isLeaf = node.type === INDEX_LEAF;
    const recordAt = (at: number) => this.#indexRecord(node.page, isLeaf ? at : at + 4);
    let index = firstCell(node, (at) => compareFirst(recordAt(at), text) >= 0);
    for (; index < node.cells; index++) {
      const at = cellAt(node, index);
      if (!isLeaf) this.#collect(node.page.readUInt32BE(at), text, ids, visited);
      const record = recordAt(at);
      if (compareFirst(record, text) !== 0) return;
      const id = readRecord(record).at(-1);
      if (typeof id !== "number") throw this.#damaged("an index does not end with a row's number");
      ids.push(id);
    }
    if (!isLeaf) this.#collect(lastChild(node), text, ids, visited);
  }

  /** In a sound tree, each page is visited once. */
  #node(number: number, visited: Set<number>): Node {
    if (visited.has(number)) throw this.#damaged(`page ${number} is in a tree twice`);
    visited.add(number);
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

  #indexRecord(page: Buffer, at: number): Buffer {
    const [size, begin] = readVarint(page, at);
    const most = Math.floor(((this.#usable - 12) * 64) / 255) - 23;
    return this.#payload(page, begin, size, most, false);
  }

  /** A record that does not fit in its page continues in a chain of other pages. */
  #payload(page: Buffer, begin: number, size: number, most: number, beginning: boolean): Buffer {
    if (size <= most) return page.subarray(begin, begin + size);
    if (size > this.#longest) throw this.#damaged(`a record of ${size} bytes is longer than the database`);
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
