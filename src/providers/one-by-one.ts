/**
 * The items of batches, one by one. An async generator that hands on the items of another one makes several promises for
 * each of them; this makes one, and only waits where a batch ends.
 */
export class OneByOne<T> implements AsyncGenerator<T, void, undefined> {
  readonly #items: AsyncGenerator<T, void, undefined>;
  #batch: IterableIterator<T> | undefined;
  /** How many calls have not been answered: whoever asks meanwhile must not overtake them. */
  #pendingCalls = 0;

  constructor(batches: AsyncIterable<IterableIterator<T>>) {
    this.#items = this.#read(batches);
  }

  next(): Promise<IteratorResult<T, void>> {
    try {
      const item = this.#pendingCalls === 0 ? this.#batch?.next() : undefined;
      if (item !== undefined && item.done !== true) return Promise.resolve(item);
    } catch (error) {
      return this.throw(error);
    }
    return this.#enqueue(this.#items.next());
  }

  return(): Promise<IteratorResult<T, void>> {
    return this.#enqueue(this.#items.return());
  }

  throw(error: unknown): Promise<IteratorResult<T, void>> {
    return this.#enqueue(this.#items.throw(error));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #enqueue<R>(answer: Promise<R>): Promise<R> {
    this.#pendingCalls++;
    return answer.finally(() => this.#pendingCalls--);
  }

  async *#read(batches: AsyncIterable<IterableIterator<T>>): AsyncGenerator<T, void, undefined> {
    try {
      for await (const batch of batches) {
        this.#batch = batch;
        // `next` takes most items past this loop, which goes on where the batch is.
        for (const item of batch) yield item;
      }
    } finally {
      this.#batch = undefined;
    }
  }
}
