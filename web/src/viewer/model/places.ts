import type { ReadMessage } from "dragoman/convert";

/** Finds the message that a problem or a loss concerns. */
export class Places {
  readonly #entries: readonly Pick<ReadMessage, "at" | "line">[];
  readonly #first = new Map<string, number>();

  constructor(entries: readonly Pick<ReadMessage, "at" | "line">[]) {
    this.#entries = entries;
    for (const [index, { at }] of entries.entries()) {
      if (!this.#first.has(at)) this.#first.set(at, index);
    }
  }

  /**
   * The index of the message whose record contains a pointer, or of the first of several. A pointer between messages leads
   * to the next one, above which it is shown. Undefined if there are no messages.
   */
  find({ at, line }: { at: string; line?: number | undefined }): number | undefined {
    for (let pointer = at; ; pointer = pointer.slice(0, pointer.lastIndexOf("/"))) {
      const index = this.#first.get(pointer);
      if (index !== undefined) return index;
      if (pointer === "") break;
    }
    if (this.#entries.length === 0) return undefined;
    return Math.min(this.#entries.length - 1, this.#before(line ?? lineOf(at)));
  }

  /** How many messages begin before this line. */
  #before(line: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.line ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Without blank lines `/4` is the fifth line. */
function lineOf(at: string): number {
  const index = Number(at.split("/")[1]);
  return Number.isInteger(index) ? index + 1 : 1;
}
