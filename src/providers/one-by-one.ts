/**
 * The items of batches, one by one. An async generator that hands on the items of another one makes several promises for
 * each of them; this makes one, and only waits where a batch ends.
 */
export class OneByOne<T> implements AsyncGenerator<T, void, undefined> {
  readonly #items: AsyncGenerator<T, void, undefined>;
  #batch: IterableIterator<T> | undefined;
  /** How many wait for a batch: whoever asks meanwhile must not overtake them. */
  #waiting = 0;

  constructor(batches: AsyncIterable<IterableIterator<T>>) {
    this.#items = this.#read(batches);
  }

  next(): Promise<IteratorResult<T, void>> {
    const item = this.#waiting === 0 ? this.#batch?.next() : undefined;
    if (item !== undefined && item.done !== true) return Promise.resolve(item);
    this.#waiting++;
    return this.#items.next().finally(() => this.#waiting--);
  }

  return(): Promise<IteratorResult<T, void>> {
    this.#batch = undefined;
    return this.#items.return();
  }

  throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#batch = undefined;
    return this.#items.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#read(batches: AsyncIterable<IterableIterator<T>>): AsyncGenerator<T, void, undefined> {
    for await (const batch of batches) {
      this.#batch = batch;
      yield* batch;
    }
  }
}
