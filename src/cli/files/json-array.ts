import type { Output } from "./output.js";

/**
 * Writes a JSON array item by item, so that it can be larger than memory. `add` queues; `flush` writes.
 *
 *     [
 *     {"at":"/0"},
 *     {"at":"/1"}
 *     ]
 */
export class JsonArrayWriter {
  readonly #output: Output;
  #queued: string;
  #first = true;

  constructor(output: Output, before = "") {
    this.#output = output;
    this.#queued = `${before}[`;
  }

  add(item: object): void {
    this.#queued += `${this.#first ? "" : ","}\n${JSON.stringify(item)}`;
    this.#first = false;
  }

  async flush(): Promise<void> {
    const text = this.#queued;
    this.#queued = "";
    if (text !== "") await this.#output.write(text);
  }

  /** Closes the array and writes `after`. */
  async end(after: string): Promise<void> {
    this.#queued += `${this.#first ? "" : "\n"}]${after}`;
    await this.flush();
  }
}
