export interface CommitOptions<T, R> {
  /**
   * Stores a batch. Returns a function that is called for each item, in order, and returns the item's result or throws
   * its error.
   */
  commit(batch: readonly T[]): Promise<(index: number) => R | Promise<R>>;
  /** Called before a batch is chosen: what arrives meanwhile can join it. If this fails, everything that waits fails. */
  prepare?(): Promise<void> | undefined;
  /** Removes the next batch, which is not empty, from what waits, in the order of the calls (default: everything). */
  choose?<W extends Waiting<T>>(waiting: W[]): W[];
  /** Called after the results of a batch were delivered, before the next one. */
  afterBatch?(): Promise<void>;
  /** Called when nothing waits any more. */
  onIdle?(): void;
}

export interface Waiting<T> {
  readonly item: T;
}

interface Pending<T, R> extends Waiting<T> {
  resolve(result: R | Promise<R>): void;
  reject(error: unknown): void;
}

/** Group commit: items that arrive while a batch is being stored are stored together afterwards. */
export class CommitQueue<T, R = void> {
  readonly #options: CommitOptions<T, R>;
  readonly #waiting: Pending<T, R>[] = [];
  #running: Promise<void> | undefined;

  constructor(options: CommitOptions<T, R>) {
    this.#options = options;
  }

  /** Fulfilled with the item's result when it is stored. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Fulfilled when nothing waits. */
  async whenIdle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { afterBatch, onIdle } = this.#options;
    for (;;) {
      // A caller whose item was just stored, and who adds another at once, joins this batch.
      await new Promise(setImmediate);
      if (this.#waiting.length === 0) break;
      await this.#commitNext();
      if (afterBatch !== undefined) await afterBatch();
    }
    this.#running = undefined;
    onIdle?.();
  }

  async #commitNext(): Promise<void> {
    const { commit, prepare, choose } = this.#options;
    let batch: Pending<T, R>[] | undefined;
    try {
      const preparing = prepare?.();
      if (preparing !== undefined) await preparing;
      batch = choose === undefined ? this.#waiting.splice(0) : choose(this.#waiting);
      deliver(batch, await commit(batch.map(({ item }) => item)));
    } catch (error) {
      for (const { reject } of batch ?? this.#waiting.splice(0)) reject(error);
    }
  }
}

function deliver<T, R>(batch: readonly Pending<T, R>[], resultOf: (index: number) => R | Promise<R>): void {
  let index = 0;
  for (const { resolve, reject } of batch) {
    try {
      resolve(resultOf(index++));
    } catch (error) {
      reject(error);
    }
  }
}
