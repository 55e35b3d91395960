/**
 * Yields the items of batches one by one. An async generator that delegates to another one creates several promises per
 * item; this creates one, and waits only at the end of a batch.
 */
export class OneByOne<T> implements AsyncGenerator<T, void, undefined> {
  readonly #items: AsyncGenerator<T, void, undefined>;
  #batch: IterableIterator<T> | undefined;
  /** How many calls are unanswered; later calls must not overtake them. */
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
        // `next` reads most items directly from the batch; this loop continues after them.
        for (const item of batch) yield item;
      }
    } finally {
      this.#batch = undefined;
    }
  }
}
