/**
 * What is pushed, for one reader, in order. A reader that leaves (`break`, or a client that has gone) is told of by
 * `onLeave`; one that leaves too much unread makes the queue fail.
 */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  #items: T[] = [];
  #unread = 0;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;
  readonly #onLeave: () => void;
  readonly #limit: { most: number; sizeOf(item: T): number; error(): Error };

  constructor(onLeave: () => void, limit: { most: number; sizeOf(item: T): number; error(): Error }) {
    this.#onLeave = onLeave;
    this.#limit = limit;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#unread += this.#limit.sizeOf(item);
    if (this.#unread > this.#limit.most) this.fail(this.#limit.error());
    this.#wake?.();
  }

  /** Nothing more will come. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Instead of what is unread the reader gets the error, and nothing more is of use. */
  fail(error: unknown): void {
    this.#items = [];
    this.#failure ??= { error };
    this.end();
    this.#onLeave();
  }

  async next(): Promise<IteratorResult<T>> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        this.#unread -= this.#limit.sizeOf(item);
        return { done: false, value: item };
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<T>> {
    this.end();
    this.#onLeave();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
