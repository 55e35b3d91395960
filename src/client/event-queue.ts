/** What one side puts in and the other takes out as an async iterator. */
export class EventQueue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #failure: { error: unknown } | undefined;
  readonly #join: (last: T, next: T) => T | undefined;
  readonly #onLeave: () => void;

  /** `join` makes one of two that nobody has taken yet, so that a slow reader costs no more than what was said. */
  constructor(join: (last: T, next: T) => T | undefined, onLeave: () => void) {
    this.#join = join;
    this.#onLeave = onLeave;
  }

  push(item: T): void {
    if (this.#ended) return;
    const last = this.#items.at(-1);
    const joined = last === undefined ? undefined : this.#join(last, item);
    if (joined === undefined) this.#items.push(item);
    else this.#items[this.#items.length - 1] = joined;
    this.#wake?.();
  }

  /** What is in it is still taken out. */
  end(failure?: { error: unknown }): void {
    this.#ended = true;
    this.#failure = failure;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const items = this.#items;
        this.#items = [];
        yield* items;
        if (this.#items.length > 0) continue;
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#onLeave();
    }
  }
}
