interface Reader<T> {
  resolve(next: IteratorResult<T>): void;
  reject(error: unknown): void;
}

/** The source's items, with a mark for each period of `ms` milliseconds without one. */
export function withSilences<T, M>(
  source: AsyncIterable<T>,
  ms: number,
  mark: M,
): AsyncIterableIterator<T | M> {
  return new Silences(source[Symbol.asyncIterator](), ms, mark);
}

/** Not a generator with a race: thousands of clients read each event, and every promise would cost more than the mark. */
class Silences<T, M> implements AsyncIterableIterator<T | M> {
  readonly #source: AsyncIterator<T>;
  readonly #timer: NodeJS.Timeout;
  #isReading = false;
  #reader: Reader<T | M> | undefined;
  /** What arrived while the reader was busy with a mark. */
  #arrived: ((reader: Reader<T | M>) => void) | undefined;

  constructor(source: AsyncIterator<T>, ms: number, mark: M) {
    this.#source = source;
    // One timer for the whole stream: a timer per event would cost more than the event.
    this.#timer = setTimeout(() => this.#give({ done: false, value: mark }), ms);
  }

  next(): Promise<IteratorResult<T | M>> {
    return new Promise((resolve, reject) => {
      const reader = { resolve, reject };
      if (this.#arrived !== undefined) {
        this.#arrived(reader);
        this.#arrived = undefined;
        return;
      }
      this.#reader = reader;
      this.#timer.refresh();
      if (this.#isReading) return;
      this.#isReading = true;
      this.#source.next().then(this.#onNext, this.#onError);
    });
  }

  async return(): Promise<IteratorResult<T | M>> {
    const end = { done: true as const, value: undefined };
    clearTimeout(this.#timer);
    this.#give(end);
    await this.#source.return?.();
    return end;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #onNext = (next: IteratorResult<T>): void => {
    this.#isReading = false;
    if (next.done === true) clearTimeout(this.#timer);
    if (!this.#give(next)) this.#arrived = (reader) => reader.resolve(next);
  };

  readonly #onError = (error: unknown): void => {
    clearTimeout(this.#timer);
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) this.#arrived = (later) => later.reject(error);
    else reader.reject(error);
  };

  /** False if the reader has not asked for more. */
  #give(next: IteratorResult<T | M>): boolean {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.resolve(next);
    return reader !== undefined;
  }
}
