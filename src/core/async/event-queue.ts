export interface EventQueueOptions<T> {
  /** Called once, when nothing more will be read: the reader returned, the queue failed, or it was read to the end. */
  onLeave(): void;
  /** Merges two unread items into one, so that a slow reader costs no more memory than their contents. */
  join?(last: T, next: T): T | undefined;
  /** The queue fails with the error when more than this is unread. */
  limit?: { most: number; sizeOf(item: T): number; error(): unknown };
}

/** A queue for one reader, who iterates over what is pushed, in order. */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #options: EventQueueOptions<T>;
  /** The items being read, and the index of the next one. */
  #batch: T[] = [];
  #at = 0;
  /** Items pushed since the batch was started. */
  #items: T[] = [];
  #unread = 0;
  #ended = false;
  #left = false;
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(options: EventQueueOptions<T>) {
    this.#options = options;
  }

  push(item: T): void {
    if (this.#ended) return;
    const { join, limit } = this.#options;
    const last = this.#items.at(-1);
    const joined = last === undefined ? undefined : join?.(last, item);
    if (joined === undefined) this.#items.push(item);
    else this.#items[this.#items.length - 1] = joined;
    this.#unread += limit?.sizeOf(item) ?? 0;
    if (limit !== undefined && this.#unread > limit.most) this.fail(limit.error());
    this.#wake?.();
  }

  /** No more items follow. Unread items are still delivered, then the error is thrown, if any. */
  end(failure?: { error: unknown }): void {
    this.#failure ??= failure;
    this.#ended = true;
    this.#wake?.();
  }

  /** Discards unread items; the reader gets the error instead. */
  fail(error: unknown): void {
    this.#discard();
    this.end({ error });
  }

  async next(): Promise<IteratorResult<T>> {
    for (;;) {
      if (this.#at === this.#batch.length) {
        this.#batch = this.#items;
        this.#items = [];
        this.#at = 0;
      }
      const item = this.#batch[this.#at];
      if (item !== undefined) {
        this.#at++;
        this.#unread -= this.#options.limit?.sizeOf(item) ?? 0;
        return { done: false, value: item };
      }
      if (this.#ended) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#leave();
    if (this.#failure !== undefined) throw this.#failure.error;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<T>> {
    this.#discard();
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #discard(): void {
    this.#batch = [];
    this.#items = [];
    this.#at = 0;
    this.#leave();
  }

  #leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.#options.onLeave();
  }
}
